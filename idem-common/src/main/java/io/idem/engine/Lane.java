package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Where calls wait for a store and for confirmations, and where the engine goes on after the answer. The engine is written
 * once, in stages: in the {@linkplain CallerLane lane of a caller} each stage is complete when it is returned, because the
 * caller's thread has waited. Thread-safe.
 */
interface Lane {

    /** Acquires records. */
    List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests);

    /** Writes an update. */
    CompletionStage<StoreAnswer> update(RecordUpdate update);

    /** Waits for the confirmations of an attempt; see {@link ConfirmationBarrier}. */
    CompletionStage<Optional<Throwable>> confirmed(ConfirmationBarrier barrier, Duration budget);

    /** Starts a stage where it may take time; by default here. An exception of {@code part} ends the stage. */
    default <V> CompletionStage<V> start(Supplier<CompletionStage<V>> part) {
        return Stages.started(part);
    }

    /** Returns a stage that ends with the given one and is continued in this lane. */
    default <V> CompletionStage<V> continued(CompletionStage<V> stage) {
        return stage;
    }
}
