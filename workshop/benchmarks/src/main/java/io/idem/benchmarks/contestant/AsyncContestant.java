package io.idem.benchmarks.contestant;

import java.util.concurrent.CompletionStage;

/** One pair of commands that nobody waits for. */
public interface AsyncContestant extends AutoCloseable {

    /** Claims and completes a new key. */
    CompletionStage<?> pair(String key);

    @Override
    void close();
}
