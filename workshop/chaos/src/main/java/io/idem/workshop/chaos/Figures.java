package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Check;
import io.idem.workshop.chaos.check.Doubled;
import io.idem.workshop.chaos.check.Event;
import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.check.Inquest;
import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.check.LedgerRow;
import io.idem.workshop.chaos.check.Stalls;
import io.idem.workshop.chaos.check.StepCheck;
import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.check.Stories;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultRecord;
import io.idem.workshop.chaos.report.Distribution;
import io.idem.workshop.chaos.report.LaneFigures;
import io.idem.workshop.chaos.report.PhaseFigures;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.ChaosIntakeMain;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Computes the figures of a phase after its end. */
final class Figures {

    private final Phase.Outcome outcome;
    private final List<LedgerRow> rows;
    private final StepFinding steps;
    private final List<String> dead;
    private final List<Finding> findings;
    private final List<Event> events;
    private final Stalls stalls;
    private final Takeovers takeovers;

    Figures(Phase.Outcome outcome, Ledger ledger, List<String> dead, Stories stories, Stalls stalls) {
        this.outcome = outcome;
        this.rows = ledger.rows(outcome.prefix() + ".");
        this.steps = StepCheck.of(ledger.steps(outcome.prefix() + "."), Harm.losesData(outcome.faultClass()));
        // When all dead letters were redriven, none of them excuses a missing effect.
        this.dead = outcome.faultClass().makesDeadLetters() ? List.of() : dead;
        this.findings = outcome.store().lanes().stream()
                .map(lane -> Check.of(lane.id(), outcome.promises(), rows, this.dead))
                .toList();
        this.events = stories.since(outcome.storiesFrom(), keysToFollow());
        this.stalls = stalls;
        this.takeovers = new Takeovers(
                outcome.faults(), events, outcome.store() == StoreKind.INBOX ? Duration.ZERO : Stage.LEASE);
    }

    private Set<String> keysToFollow() {
        Set<String> keys = findings.stream()
                .flatMap(finding -> finding.doubled().stream())
                .collect(Collectors.toCollection(HashSet::new));
        outcome.faults().forEach(fault -> {
            if (fault.key() != null) {
                keys.add(fault.key());
            }
        });
        return keys;
    }

    PhaseFigures make() {
        return new PhaseFigures(
                outcome.faultClass(),
                outcome.faults().size(),
                outcome.missed(),
                outcome.seconds(),
                outcome.drainMillis(),
                outcome.drained(),
                takeovers.durations(ChaosIntakeMain.SCOPE),
                findings.stream().map(this::lane).toList(),
                steps);
    }

    private LaneFigures lane(Finding finding) {
        Lane lane = Lane.of(finding.lane());
        return new LaneFigures(
                finding,
                (int) outcome.faults().stream()
                        .filter(fault -> fault.hits(lane))
                        .count(),
                finding.doubled().stream()
                        .flatMap(key -> doubles(lane, key).stream())
                        .toList(),
                takeovers.durations(lane.id()),
                takeovers.redeliveries(lane.id()),
                takeovers.overdue(lane.id()),
                recoveries(lane));
    }

    /**
     * Returns the duplicates of a key in the order of their fences, not of their commits: a late owner may commit after
     * its successor.
     */
    private List<Doubled> doubles(Lane lane, String key) {
        Inquest inquest = inquest();
        List<LedgerRow> own = rows.stream()
                .filter(row -> row.lane().equals(lane.id()) && row.key().equals(key))
                .sorted(Comparator.comparingLong(LedgerRow::fence))
                .toList();
        List<Event> story = events.stream()
                .filter(event -> event.key().equals(key) && event.scope().equals(lane.id()))
                .toList();
        List<Doubled> doubles = new ArrayList<>();
        for (int second = 1; second < own.size(); second++) {
            doubles.add(inquest.of(own.get(second - 1), own.get(second), story));
        }
        return doubles;
    }

    private Inquest inquest() {
        return new Inquest(
                Stage.LEASE.toMillis(),
                outcome.deaths().stream()
                        .map(death -> new Inquest.Killed(death.pid(), death.at()))
                        .toList(),
                outcome.faults().stream().flatMap(Figures::hurt).toList(),
                stalls);
    }

    private static Stream<Inquest.Hurt> hurt(FaultRecord fault) {
        return Harm.of(fault.faultClass()).stream()
                .map(kind -> new Inquest.Hurt(
                        fault.faultClass().id() + " (" + fault.detail() + ")",
                        fault.struckAt(),
                        fault.healedAt(),
                        kind));
    }

    /**
     * Returns the times from the end of an outage to the next effect. For the class without faults, these times are the
     * laboratory's own.
     */
    private Distribution recoveries(Lane lane) {
        NavigableSet<Long> written = rows.stream()
                .filter(row -> row.lane().equals(lane.id()))
                .map(LedgerRow::writtenAt)
                .collect(Collectors.toCollection(TreeSet::new));
        return Distribution.of(outcome.faults().stream()
                .filter(fault -> fault.key() == null)
                .filter(fault -> fault.hits(lane) || fault.faultClass() == FaultClass.NONE)
                .flatMapToLong(fault -> recovery(written, fault).stream()));
    }

    private static OptionalLong recovery(NavigableSet<Long> written, FaultRecord fault) {
        Long next = written.ceiling(fault.healedAt());
        return next == null ? OptionalLong.empty() : OptionalLong.of(next - fault.healedAt());
    }
}
