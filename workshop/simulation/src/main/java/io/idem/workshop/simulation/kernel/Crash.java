package io.idem.workshop.simulation.kernel;

/** Ends whatever a machine does when it dies. Nobody may catch it for good: what it touches next throws it again. */
public final class Crash extends Error {

    Crash(Machine machine) {
        super(machine + " is dead", null, false, false);
    }
}
