package io.idem.workshop.simulation.world;

/** How a key comes into the world. */
@FunctionalInterface
interface Entrance {

    /** Returns when somebody has said that it is taken. Blocks. */
    void enter(String key);
}
