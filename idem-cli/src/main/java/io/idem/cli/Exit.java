package io.idem.cli;

/** What the tool ends with. */
final class Exit {

    /** Found, or done. */
    static final int DONE = 0;

    /** There is no such record, or its state does not allow it; nothing was changed. */
    static final int REFUSED = 1;

    /** The command line, or what it asks for, cannot be used. */
    static final int USAGE = 2;

    /** Redis did not answer; whether it did what was asked is unknown. */
    static final int UNAVAILABLE = 3;

    private Exit() {}
}
