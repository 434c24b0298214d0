package io.idem.benchmarks.contestant;

/** A library that runs work once for each key, or a floor. Thread-safe; calls block until Redis has answered. */
public interface Contestant extends AutoCloseable {

    /** Claims a key that was not used before, and marks its work as done. */
    Object fresh(String key);

    /** Asks for a key whose work is already done. */
    Object duplicate(String key);

    @Override
    void close();
}
