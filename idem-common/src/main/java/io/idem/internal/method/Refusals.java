package io.idem.internal.method;

import java.lang.reflect.Method;

/** Makes the exceptions for annotated methods that cannot be guarded. */
@FunctionalInterface
public interface Refusals {

    /** Returns the exception for a method; see {@link StartRefusal#refused}. */
    RuntimeException refused(Method method, String problem, String action);

    /** Returns the refusals of one method. */
    default StartRefusal of(Method method) {
        return (problem, action) -> refused(method, problem, action);
    }
}
