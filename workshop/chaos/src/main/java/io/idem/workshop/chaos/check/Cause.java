package io.idem.workshop.chaos.check;

/** The cause of a duplicate effect. The first three are declared for Redis alone; the inbox declares none. */
public enum Cause {
    /** The owner was killed between its commit and its COMPLETE. */
    CRASH("a crash between commit and COMPLETE"),
    /** The owner committed, and its lease ended before its COMPLETE. */
    LEASE_OUTLIVED("a lease outlived"),
    /** Redis lost the record. */
    DATA_LOST("data of Redis lost"),
    /** No declared cause: a defect of idem. */
    UNEXPLAINED("none that is declared");

    private final String text;

    Cause(String text) {
        this.text = text;
    }

    /** Returns the cause as text for people. */
    public String text() {
        return text;
    }

    /** Returns whether the README declares the cause. */
    public boolean declared() {
        return this != UNEXPLAINED;
    }
}
