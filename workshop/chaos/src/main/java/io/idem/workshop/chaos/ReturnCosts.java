package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Returns;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.report.ReturnFigures;
import io.idem.workshop.chaos.worker.Lane;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Computes the share of the delivery limit of RabbitMQ's queues that each class of faults uses up. Pure functions. */
final class ReturnCosts {

    private ReturnCosts() {}

    /** Returns the costs by class and lane, without those that are zero. */
    static List<ReturnFigures> of(List<Phase.Outcome> outcomes, Returns returns) {
        Map<FaultClass, List<Phase.Outcome>> byClass = outcomes.stream()
                .collect(Collectors.groupingBy(Phase.Outcome::faultClass, LinkedHashMap::new, Collectors.toList()));
        return byClass.entrySet().stream()
                .flatMap(entry -> Arrays.stream(Lane.values())
                        .filter(Lane::rabbit)
                        .map(lane -> figures(entry.getKey(), lane, counts(entry.getValue(), lane, returns))))
                .filter(figures -> figures.messages() > 0)
                .toList();
    }

    private static List<Integer> counts(List<Phase.Outcome> outcomes, Lane lane, Returns returns) {
        return outcomes.stream()
                .flatMap(outcome -> returns.of(outcome.prefix() + "." + lane.id() + ".").stream())
                .toList();
    }

    private static ReturnFigures figures(FaultClass faultClass, Lane lane, List<Integer> counts) {
        return new ReturnFigures(
                faultClass.id(), lane.id(), counts.size(), counts.isEmpty() ? 0 : Collections.max(counts));
    }
}
