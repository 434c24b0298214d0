package io.idem.workshop.simulation.kernel;

import java.util.Map;

/** Something that can be simulated; made by the simulation's own class loader. */
@FunctionalInterface
public interface Scenario {

    /**
     * Plays it once.
     *
     * @param options what is not left to the seed
     */
    Report play(long seed, Map<String, String> options, Fibers threads) throws InterruptedException;
}
