package io.idem.workshop.chaos.check;

import io.idem.workshop.chaos.worker.Names;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Checks the promises about steps. Compares fences and the order of events at the provider, and no times. Pure
 * functions.
 */
public final class StepCheck {

    private StepCheck() {}

    /**
     * Returns the findings.
     *
     * @param dataLost whether Redis may have lost records: then steps run again, though under the same keys
     */
    public static StepFinding of(Collection<StepEvent> events, boolean dataLost) {
        Map<String, OneStep> steps = events.stream()
                .collect(Collectors.groupingBy(
                        event -> event.lane() + " " + event.key() + " " + event.step(),
                        TreeMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), OneStep::new)));
        return new StepFinding(
                steps.size(),
                sum(steps, OneStep::calls),
                sum(steps, OneStep::endedInside),
                sum(steps, OneStep::questions),
                sum(steps, OneStep::late),
                named(steps, OneStep::hasSeveralKeys),
                named(steps, step -> !dataLost && step.isBegunAgain()),
                named(steps, step -> !dataLost && step.calls() > 1 + step.endedInside()),
                named(steps, step -> !dataLost && step.isReconciled() && step.calls() - step.late() > 1),
                named(steps, step -> step.hasForeignResult() || (!dataLost && step.hasSeveralResults())));
    }

    private static int sum(Map<String, OneStep> steps, ToIntFunction<OneStep> number) {
        return steps.values().stream().mapToInt(number).sum();
    }

    private static List<String> named(Map<String, OneStep> steps, Predicate<OneStep> which) {
        return steps.entrySet().stream()
                .filter(step -> which.test(step.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The events of one step of one message. */
    private record OneStep(List<StepEvent> events) {

        private int count(Predicate<StepEvent> which) {
            return (int) events.stream().filter(which).count();
        }

        int calls() {
            return count(StepEvent::landed);
        }

        int questions() {
            return count(StepEvent::asked);
        }

        int endedInside() {
            Set<Long> returned = events.stream()
                    .filter(StepEvent::returned)
                    .map(StepEvent::fence)
                    .collect(Collectors.toSet());
            return (int) events.stream()
                    .filter(StepEvent::landed)
                    .map(StepEvent::fence)
                    .filter(fence -> !returned.contains(fence))
                    .distinct()
                    .count();
        }

        /** Returns the landings that came when a later attempt had already asked, called or gone on. */
        int late() {
            return count(landing -> landing.landed()
                    && events.stream().anyMatch(other -> other.fence() > landing.fence() && other.id() < landing.id()));
        }

        boolean isReconciled() {
            return events.get(0).step().equals(Names.RECONCILED_STEP);
        }

        boolean hasSeveralKeys() {
            return events.stream()
                            .filter(event -> !event.returned())
                            .map(StepEvent::providerKey)
                            .distinct()
                            .count()
                    > 1;
        }

        boolean isBegunAgain() {
            long first = events.stream()
                    .filter(StepEvent::returned)
                    .mapToLong(StepEvent::fence)
                    .min()
                    .orElse(Long.MAX_VALUE);
            return events.stream().anyMatch(event -> event.landed() && event.fence() > first);
        }

        boolean hasForeignResult() {
            Set<Long> landings =
                    events.stream().filter(StepEvent::landed).map(StepEvent::id).collect(Collectors.toSet());
            return events.stream().anyMatch(event -> event.returned() && !landings.contains(event.receipt()));
        }

        boolean hasSeveralResults() {
            return events.stream()
                            .filter(StepEvent::returned)
                            .map(StepEvent::receipt)
                            .distinct()
                            .count()
                    > 1;
        }
    }
}
