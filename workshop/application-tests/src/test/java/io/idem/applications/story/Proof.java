package io.idem.applications.story;

/** A check of one application alone, made after its stories while it still runs. */
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
