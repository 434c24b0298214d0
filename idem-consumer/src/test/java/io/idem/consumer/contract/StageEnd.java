package io.idem.consumer.contract;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Ways in which a stage can end before its work does. */
public enum StageEnd {
    /** The returned stage itself has a timeout. */
    TIMEOUT {
        @Override
        public CompletableFuture<Void> of(CompletableFuture<?> work) {
            return work.<Void>thenApply(value -> null).orTimeout(SHORTLY_MS, TimeUnit.MILLISECONDS);
        }
    },
    /** A stage before the returned one has a timeout, whose failure arrives wrapped. */
    EARLIER_TIMEOUT {
        @Override
        public CompletableFuture<Void> of(CompletableFuture<?> work) {
            return work.orTimeout(SHORTLY_MS, TimeUnit.MILLISECONDS).thenAccept(value -> {});
        }
    },
    CANCELLATION {
        @Override
        public CompletableFuture<Void> of(CompletableFuture<?> work) {
            CompletableFuture<Void> stage = work.thenAccept(value -> {});
            stage.cancel(true);
            return stage;
        }
    };

    private static final long SHORTLY_MS = 50;

    /** A stage of work that does not end; it does. */
    public abstract CompletableFuture<Void> of(CompletableFuture<?> work);
}
