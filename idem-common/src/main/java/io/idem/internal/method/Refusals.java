package io.idem.internal.method;

import java.lang.reflect.Method;

/** Makes the exceptions for annotated methods that cannot be guarded. */
@FunctionalInterface
public interface Refusals {

    /**
     * Returns the exception.
     *
     * @param problem the rest of a sentence that begins with the name of the method, without its full stop
     * @param action the remedy, a sentence without its full stop
     */
    RuntimeException refused(Method method, String problem, String action);

    /** Returns the refusals of one method. */
    default OfMethod of(Method method) {
        return (problem, action) -> refused(method, problem, action);
    }

    /** Makes the exceptions for one method. */
    @FunctionalInterface
    interface OfMethod {

        /** Returns the exception; see {@link Refusals#refused}. */
        RuntimeException refused(String problem, String action);

        /** Throws the exception if a rule is broken. */
        default void refuseIf(boolean broken, String problem, String action) {
            if (broken) {
                throw refused(problem, action);
            }
        }
    }
}
