package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.Doubled;
import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.worker.Lane;
import java.util.List;
import java.util.function.ToIntFunction;

/** The figures of a lane in all phases of one class, or of a run. */
record LaneTotals(Lane lane, List<LaneFigures> parts) {

    private int sum(ToIntFunction<Finding> number) {
        return parts.stream().map(LaneFigures::finding).mapToInt(number).sum();
    }

    int faults() {
        return parts.stream().mapToInt(LaneFigures::faults).sum();
    }

    int messages() {
        return sum(Finding::asked);
    }

    int lost() {
        return sum(finding -> finding.lost().size());
    }

    int doubled() {
        return sum(finding -> finding.doubled().size());
    }

    List<Doubled> doubles() {
        return parts.stream().flatMap(part -> part.doubles().stream()).toList();
    }

    Distribution takeover() {
        return Distribution.together(parts.stream().map(LaneFigures::takeover));
    }

    Distribution redelivery() {
        return Distribution.together(parts.stream().map(LaneFigures::redelivery));
    }

    Distribution overdue() {
        return Distribution.together(parts.stream().map(LaneFigures::overdue));
    }

    Distribution recovery() {
        return Distribution.together(parts.stream().map(LaneFigures::recovery));
    }
}
