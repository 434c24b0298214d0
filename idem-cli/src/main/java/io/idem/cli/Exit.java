package io.idem.cli;

/** The exit codes of the tool. */
final class Exit {

    /** The record was found, or the action was carried out. */
    static final int DONE = 0;

    /** There is no such record, or its state does not allow it; nothing was changed. */
    static final int REFUSED = 1;

    /** The command line is invalid. */
    static final int USAGE = 2;

    /** Redis did not answer, and it is unknown whether the action was carried out; or a record cannot be read. */
    static final int UNAVAILABLE = 3;

    private Exit() {}
}
