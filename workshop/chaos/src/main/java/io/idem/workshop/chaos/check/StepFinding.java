package io.idem.workshop.chaos.check;

import java.util.List;

/**
 * The findings about the steps of a phase. Steps are named by lane, key and step.
 *
 * @param steps number of steps that the provider heard of
 * @param calls calls, each of which landed
 * @param endedInside attempts that called the provider and did not return from the step: they died, lost their lease or
 *     failed
 * @param questions questions of reconcilers
 * @param late landings by attempts that had a successor already: of processes that were paused inside the step
 * @param severalKeys steps with more than one key at the provider
 * @param begunAgain steps that were begun by a later attempt than one to which they had returned
 * @param calledTooOften steps with more calls than one and one for each attempt that ended inside
 * @param landedAgain reconciled steps that landed again, other than by a late call
 * @param otherResults steps that returned what they did not get from the provider, or different results
 */
public record StepFinding(
        int steps,
        int calls,
        int endedInside,
        int questions,
        int late,
        List<String> severalKeys,
        List<String> begunAgain,
        List<String> calledTooOften,
        List<String> landedAgain,
        List<String> otherResults) {

    /** The findings of a phase without steps. */
    public static final StepFinding NONE =
            new StepFinding(0, 0, 0, 0, 0, List.of(), List.of(), List.of(), List.of(), List.of());
}
