package io.idem.benchmarks.contestant;

/** One way to act once for a key, or a floor under all of them. Thread-safe; every call blocks until Redis has answered. */
public interface Contestant extends AutoCloseable {

    /** Claims a key that nobody has used yet, and marks its work as done. */
    Object fresh(String key);

    /** Asks for a key whose work is done. */
    Object duplicate(String key);

    @Override
    void close();
}
