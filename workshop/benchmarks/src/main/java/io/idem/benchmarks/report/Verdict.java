package io.idem.benchmarks.report;

/** The result of a goal. */
public enum Verdict {
    /** The ratio is within the goal. */
    MET("met"),
    /** The ratio is outside of the goal but within the gate. */
    WITHIN_GATE("within the gate"),
    /** The ratio is outside of the gate. */
    MISSED("missed"),
    /** The figures were not measured in this run. */
    NOT_RUN("not run"),
    /** The control differed so much from itself in this run that the ratio says nothing. */
    VOID("void");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** Returns the text for tables. */
    public String text() {
        return text;
    }
}
