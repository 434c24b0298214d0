package io.idem.workshop.chaos.check;

/** Why an effect came about twice. The first three are declared for Redis alone; with the inbox there is none. */
public enum Cause {
    /** The owner was killed between its commit and its COMPLETE. */
    CRASH("a crash between commit and COMPLETE"),
    /** The owner committed, and its lease ended before it could say so. */
    LEASE_OUTLIVED("a lease outlived"),
    /** Redis forgot the record. */
    DATA_LOST("data of Redis lost"),
    /** None of these: a mistake of idem's. */
    UNEXPLAINED("none that is declared");

    private final String text;

    Cause(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }

    /** Whether the README declares it. */
    public boolean declared() {
        return this != UNEXPLAINED;
    }
}
