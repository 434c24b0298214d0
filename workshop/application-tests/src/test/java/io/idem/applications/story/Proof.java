package io.idem.applications.story;

/** A check of a single application, made after its stories while it still runs. */
@FunctionalInterface
public interface Proof {

    /** No check, for applications whose stories suffice. */
    Proof NONE = running -> {};

    /**
     * Checks the application.
     *
     * @throws AssertionError if the check fails
     */
    void prove(RunningApplication running);
}
