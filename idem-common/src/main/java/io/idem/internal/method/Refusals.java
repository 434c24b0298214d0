package io.idem.internal.method;

import java.lang.reflect.Method;

/** Makes the exception for an annotated method that cannot be guarded. */
@FunctionalInterface
public interface Refusals {

    /**
     * Returns the exception.
     *
     * @param problem the rest of a sentence that begins with the name of the method, without its full stop
     * @param action the remedy, a sentence without its full stop
     */
    RuntimeException refused(Method method, String problem, String action);
}
