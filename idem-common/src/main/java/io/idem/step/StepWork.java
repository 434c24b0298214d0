package io.idem.step;

import org.jspecify.annotations.Nullable;

/**
 * The work of a step.
 *
 * @param <T> the type of the result
 * @param <X> the exception that the work may throw; {@link RuntimeException} if it throws no checked one
 */
@FunctionalInterface
public interface StepWork<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work. An exception leaves the step unremembered and goes on to the caller of the step unchanged.
     *
     * @return the result to remember, possibly null
     */
    T run(StepContext step) throws X;
}
