package io.idem.applications.story;

/** What is particular to one application, shown after its stories while it still runs. */
@FunctionalInterface
public interface Proof {

    /** For most applications, whose stories say everything. */
    Proof NONE = running -> {};

    /**
     * Shows it.
     *
     * @throws AssertionError if it is not so
     */
    void prove(RunningApplication running);
}
