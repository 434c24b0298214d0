package io.idem.benchmarks.database;

/** Results that are kept for duplicates. */
final class Results {

    /** The size of a small result. */
    static final int BYTES = 100;

    private Results() {}

    /** Returns the end of a name that says how large the result is; empty without a result. */
    static String suffix(int bytes) {
        return bytes == 0 ? "" : ", result of " + bytes + " bytes";
    }
}
