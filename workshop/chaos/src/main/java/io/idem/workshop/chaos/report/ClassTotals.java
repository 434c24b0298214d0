package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.worker.Lane;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of all phases of one class. */
record ClassTotals(FaultClass faultClass, List<PhaseFigures> phases) {

    static List<ClassTotals> of(List<PhaseFigures> phases) {
        Map<FaultClass, List<PhaseFigures>> byClass = phases.stream()
                .collect(Collectors.groupingBy(PhaseFigures::faultClass, LinkedHashMap::new, Collectors.toList()));
        return byClass.entrySet().stream()
                .map(entry -> new ClassTotals(entry.getKey(), entry.getValue()))
                .toList();
    }

    int faults() {
        return phases.stream().mapToInt(PhaseFigures::faults).sum();
    }

    int steps(ToIntFunction<StepFinding> number) {
        return phases.stream().map(PhaseFigures::steps).mapToInt(number).sum();
    }

    List<LaneTotals> lanes() {
        return lanes(phases);
    }

    /** Returns the totals of the lanes of one mode. */
    List<LaneTotals> lanes(boolean inbox) {
        return lanes().stream().filter(lane -> lane.lane().inbox() == inbox).toList();
    }

    Distribution recovery() {
        return Distribution.together(lanes().stream().map(LaneTotals::recovery));
    }

    Distribution overdue(boolean inbox) {
        return Distribution.together(lanes(inbox).stream().map(LaneTotals::overdue));
    }

    static List<LaneTotals> lanes(List<PhaseFigures> phases) {
        return Arrays.stream(Lane.values())
                .map(lane -> totals(lane, phases))
                .filter(lane -> !lane.parts().isEmpty())
                .toList();
    }

    private static LaneTotals totals(Lane lane, List<PhaseFigures> phases) {
        Stream<LaneFigures> parts = phases.stream()
                .flatMap(phase -> phase.lanes().stream())
                .filter(part -> part.finding().lane().equals(lane.id()));
        return new LaneTotals(lane, parts.toList());
    }
}
