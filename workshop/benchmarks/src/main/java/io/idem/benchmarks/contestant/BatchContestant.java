package io.idem.benchmarks.contestant;

import java.util.List;

/** Claims and completes many new keys, and waits for the answers. */
public interface BatchContestant extends AutoCloseable {

    /** Returns when all of these keys, none of them used before, are completed. */
    void batch(List<String> keys);

    @Override
    default void close() {}
}
