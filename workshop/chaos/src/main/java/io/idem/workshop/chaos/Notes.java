package io.idem.workshop.chaos;

import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultRecord;
import io.idem.workshop.chaos.report.Complaints;
import io.idem.workshop.chaos.report.Distribution;
import io.idem.workshop.chaos.report.Machine;
import io.idem.workshop.chaos.report.PhaseFigures;
import io.idem.workshop.chaos.report.Report;
import io.idem.workshop.chaos.report.ReturnFigures;
import io.idem.workshop.chaos.report.Verdicts;
import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.StoreKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The notes of a report on the circumstances in which its figures were measured. */
final class Notes {

    private final ChaosOptions options;
    private final String command;
    private final String loadAtStart = Machine.load();
    private final Set<String> versions = new LinkedHashSet<>();
    private final List<Long> startUps = new ArrayList<>();

    Notes(ChaosOptions options, String command) {
        this.options = options;
        this.command = command;
    }

    void versions(List<String> more) {
        versions.addAll(more);
    }

    void version(String one) {
        versions.add(one);
    }

    void startUps(List<Long> millis) {
        startUps.addAll(millis);
    }

    private List<String> skipped() {
        List<String> skipped = new ArrayList<>(options.classes().stream()
                .flatMap(each -> each.hindrance().stream())
                .toList());
        if (options.store() == StoreKind.INBOX) {
            skipped.add("with --store inbox there is no Redis and no intake, so these classes strike nothing: "
                    + Arrays.stream(FaultClass.values())
                            .filter(each -> !each.concerns(StoreKind.INBOX))
                            .map(FaultClass::id)
                            .collect(Collectors.joining(", ")));
        }
        return skipped;
    }

    Report report(
            boolean finished,
            List<String> otherComplaints,
            double seconds,
            Map<Integer, Long> replies,
            Map<String, Long> left,
            List<PhaseFigures> phases,
            List<FaultRecord> faults,
            Distribution stalls,
            List<ReturnFigures> returns,
            List<String> keptLogs,
            UnaryOperator<List<String>> tracesOf) {
        List<String> complaints = new ArrayList<>(Complaints.of(phases, left));
        complaints.addAll(otherComplaints);
        return new Report(
                finished,
                complaints.isEmpty(),
                complaints,
                command,
                options.seed(),
                options.flaw().name(),
                seconds,
                Stage.LEASE.toMillis(),
                Backends.KAFKA_SESSION.toMillis(),
                Machine.describe(),
                List.of(loadAtStart, Machine.load()),
                Distribution.of(startUps.stream().mapToLong(Long::longValue)),
                stalls,
                Verdicts.of(phases),
                List.copyOf(versions),
                skipped(),
                replies,
                left,
                phases,
                options.deliveryLimit(),
                returns,
                faults,
                keptLogs,
                tracesOf.apply(complaints));
    }
}
