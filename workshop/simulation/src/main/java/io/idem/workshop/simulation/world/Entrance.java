package io.idem.workshop.simulation.world;

/** The way by which a key enters the world. */
@FunctionalInterface
interface Entrance {

    /** Sends the key, and returns when it has been accepted. Blocks. */
    void enter(String key);
}
