package io.idem.gateway.internal.handoff;

/** Checks that a system which the intake needs answers. Thread-safe. */
@FunctionalInterface
public interface Probe {

    /** Returns if the system answers, and throws if not; blocks until that is known. */
    void check() throws Exception;
}
