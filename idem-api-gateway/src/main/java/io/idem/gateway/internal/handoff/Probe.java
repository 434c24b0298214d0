package io.idem.gateway.internal.handoff;

/** Finds out whether something that the intake needs answers. Thread-safe. */
@FunctionalInterface
public interface Probe {

    /** Returns if it does; blocks until it is known. */
    void check() throws Exception;
}
