package io.idem.workshop.simulation.kernel;

/** A process of the simulated world. Its work ends when it dies and pauses while it is frozen. */
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

    /** Returns the end of the last freeze. */
    public long frozenUntil() {
        return frozenUntil;
    }

    void freezeUntil(long moment) {
        frozenUntil = Math.max(frozenUntil, moment);
        freezes++;
    }

    /** Returns the number of freezes. */
    public int freezes() {
        return freezes;
    }

    @Override
    public String toString() {
        return name;
    }
}
