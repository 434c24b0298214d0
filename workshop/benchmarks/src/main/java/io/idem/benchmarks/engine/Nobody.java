package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.AsyncContestant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A placeholder before the set-up of a measurement. */
record Nobody() implements AsyncContestant {

    @Override
    public CompletionStage<?> pair(String key) {
        return CompletableFuture.failedStage(new IllegalStateException("Not connected"));
    }

    @Override
    public void close() {}
}
