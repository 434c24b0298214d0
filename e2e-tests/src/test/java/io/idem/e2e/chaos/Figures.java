package io.idem.e2e.chaos;

import io.idem.e2e.chaos.check.Check;
import io.idem.e2e.chaos.check.Grants;
import io.idem.e2e.chaos.check.LedgerRow;
import io.idem.e2e.chaos.fault.FaultRecord;
import io.idem.e2e.chaos.report.Distribution;
import io.idem.e2e.chaos.report.LaneFigures;
import io.idem.e2e.chaos.report.PhaseFigures;
import io.idem.e2e.chaos.worker.ChaosIntakeMain;
import io.idem.e2e.chaos.worker.Lane;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes figures of what a phase left behind, once all is over. */
final class Figures {

    private final Phase.Outcome outcome;
    private final List<LedgerRow> rows;
    private final List<String> dead;
    private final Grants grants;

    Figures(Phase.Outcome outcome, List<LedgerRow> rows, List<String> dead, Grants grants) {
        this.outcome = outcome;
        this.rows = rows;
        // Where all dead letters were brought back, none of them excuses a missing effect.
        this.dead = outcome.faultClass().makesDeadLetters() ? List.of() : dead;
        this.grants = grants;
    }

    PhaseFigures make() {
        return new PhaseFigures(
                outcome.faultClass(),
                outcome.faults().size(),
                outcome.missed(),
                outcome.seconds(),
                outcome.drainMillis(),
                outcome.drained(),
                takeovers(ChaosIntakeMain.SCOPE),
                Arrays.stream(Lane.values()).map(lane -> lane(lane.id())).toList());
    }

    private LaneFigures lane(String lane) {
        return new LaneFigures(Check.of(lane, outcome.promises(), rows, dead), takeovers(lane), recoveries(lane));
    }

    /** From the fault to the next grant of the key that was held up; keys that were completed have none. */
    private Distribution takeovers(String scope) {
        return Distribution.of(outcome.faults().stream()
                .filter(fault -> scope.equals(fault.scope()))
                .map(fault -> grants.after(scope, Objects.requireNonNull(fault.key()), fault.struckAt()).stream()
                        .map(next -> next - fault.struckAt())
                        .boxed()
                        .toList())
                .flatMap(List::stream)
                .mapToLong(Long::longValue));
    }

    /** From the end of an outage to the next effect. */
    private Distribution recoveries(String lane) {
        NavigableSet<Long> written = rows.stream()
                .filter(row -> row.lane().equals(lane))
                .map(LedgerRow::writtenAt)
                .collect(Collectors.toCollection(TreeSet::new));
        return Distribution.of(outcome.faults().stream()
                .filter(fault -> fault.key() == null)
                .flatMapToLong(fault -> recovery(written, fault).stream()));
    }

    private static OptionalLong recovery(NavigableSet<Long> written, FaultRecord fault) {
        Long next = written.ceiling(fault.healedAt());
        return next == null ? OptionalLong.empty() : OptionalLong.of(next - fault.healedAt());
    }
}
