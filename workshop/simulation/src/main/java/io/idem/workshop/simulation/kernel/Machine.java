package io.idem.workshop.simulation.kernel;

/** A process of the simulated world: what it does ends when it dies and stands still while it is frozen. */
public final class Machine {

    private final String name;
    private boolean dead;
    private long frozenUntil;
    private int freezes;

    Machine(String name) {
        this.name = name;
    }

    public boolean dead() {
        return dead;
    }

    void die() {
        dead = true;
    }

    /** The end of its last standstill. */
    public long frozenUntil() {
        return frozenUntil;
    }

    void freezeUntil(long moment) {
        frozenUntil = Math.max(frozenUntil, moment);
        freezes++;
    }

    /** How often it stood still. */
    public int freezes() {
        return freezes;
    }

    @Override
    public String toString() {
        return name;
    }
}
