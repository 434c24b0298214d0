package io.idem.workshop.simulation.kernel;

/** Ends the work of a machine that died. Code that catches it gets it again at its next step. */
public final class Crash extends Error {

    Crash(Machine machine) {
        super(machine + " is dead", null, false, false);
    }
}
