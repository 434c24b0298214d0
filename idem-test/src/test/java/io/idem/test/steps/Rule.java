package io.idem.test.steps;

import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepFinding;
import java.util.Optional;
import java.util.function.Function;

/** The rule of a step for an unknown outcome. */
enum Rule {
    RERUN,
    RECONCILE,
    REJECT;

    /** Returns a step with this rule; {@code provider} finds what it did under a key. */
    Step<String> step(String name, Function<StepContext, Optional<String>> provider) {
        Step<String> step = Step.of(name, String.class);
        return switch (this) {
            case RERUN -> step;
            case REJECT -> step.rejectedWhenUnknown();
            case RECONCILE ->
                step.reconciledBy(context ->
                        provider.apply(context).map(StepFinding::done).orElseGet(StepFinding::notDone));
        };
    }
}
