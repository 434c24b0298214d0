package io.idem.internal.method;

/** Makes the exceptions for one method or route that cannot be guarded. */
@FunctionalInterface
public interface StartRefusal {

    /**
     * Returns the exception.
     *
     * @param problem the rest of a sentence that begins with the name of the method or route, without its full stop
     * @param action the remedy, a sentence without its full stop
     */
    RuntimeException refused(String problem, String action);

    /** Throws the exception if a rule is broken. */
    default void refuseIf(boolean broken, String problem, String action) {
        if (broken) {
            throw refused(problem, action);
        }
    }
}
