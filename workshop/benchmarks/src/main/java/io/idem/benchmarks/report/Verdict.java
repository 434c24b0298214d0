package io.idem.benchmarks.report;

/** How a goal came out. */
public enum Verdict {
    /** As aimed at. */
    MET("met"),
    /** Not as aimed at, but within the gate. */
    WITHIN_GATE("within the gate"),
    /** Beyond the gate. */
    MISSED("missed"),
    /** Not measured in this run. */
    NOT_RUN("not run");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** How tables say it. */
    public String text() {
        return text;
    }
}
