package io.idem.step;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a reconciler about a step that an earlier attempt may have done.
 *
 * @param <T> the type of the step's result
 * @see Step#reconciledBy
 */
public sealed interface StepFinding<T> {

    /** The step was done: its result is remembered and returned, and its work does not run. */
    record Done<T>(@Nullable T result) implements StepFinding<T> {}

    /** The step was not done: its work runs now. */
    record NotDone<T>() implements StepFinding<T> {}

    /** A person must decide: the record is rejected for {@code reason}, and a message becomes a dead letter. */
    record Reject<T>(String reason) implements StepFinding<T> {}

    /** Nothing is known yet: the attempt ends here, its lease expires, and the next attempt asks again. */
    record AskAgain<T>() implements StepFinding<T> {}

    /** Returns that the step was done, with its result. */
    static <T> StepFinding<T> done(@Nullable T result) {
        return new Done<>(result);
    }

    /** Returns that the step was not done. */
    static <T> StepFinding<T> notDone() {
        return new NotDone<>();
    }

    /** Returns that a person must decide. */
    static <T> StepFinding<T> reject(String reason) {
        return new Reject<>(reason);
    }

    /** Returns that nothing is known yet. */
    static <T> StepFinding<T> askAgain() {
        return new AskAgain<>();
    }
}
