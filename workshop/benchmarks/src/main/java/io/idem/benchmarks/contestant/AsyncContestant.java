package io.idem.benchmarks.contestant;

import java.util.concurrent.CompletionStage;

/** Claims and completes keys without blocking the caller. */
public interface AsyncContestant extends AutoCloseable {

    /** Claims and completes a new key. */
    CompletionStage<?> pair(String key);

    @Override
    void close();
}
