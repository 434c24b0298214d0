package io.idem.workshop.simulation.kernel;

import java.util.Map;

/** A program that can be simulated, created by the simulation's own class loader. */
@FunctionalInterface
public interface Scenario {

    /**
     * Plays the scenario once.
     *
     * @param options values that the seed does not choose
     */
    Report play(long seed, Map<String, String> options, Fibers threads) throws InterruptedException;
}
