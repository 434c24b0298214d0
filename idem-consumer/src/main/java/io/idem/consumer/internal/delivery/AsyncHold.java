package io.idem.consumer.internal.delivery;

import io.idem.Outcome;
import io.idem.StoredResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.internal.DaemonThreads;
import io.idem.spi.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counterpart of {@link RecordHold} for asynchronous work: no thread waits while recording is tried again. */
public record AsyncHold(AsyncIdempotentExecutor executor, RecordHold hold) {

    public <T> CompletionStage<Outcome<T>> recorded(Outcome<T> outcome) {
        if (!(outcome instanceof Outcome.Unrecorded<T> open)) {
            return CompletableFuture.completedStage(outcome);
        }
        return switch (hold.next(open)) {
            case ACKNOWLEDGE ->
                CompletableFuture.completedStage(new Outcome.Superseded<>(open.value(), StoredResult.NONE));
            case GIVE_UP -> CompletableFuture.completedStage(open);
            case AT_ONCE -> again(open);
            case AFTER_PAUSE ->
                Stages.compose(
                        CompletableFuture.supplyAsync(() -> true, DaemonThreads.after(RecordHold.PAUSE)),
                        nothing -> again(open));
        };
    }

    private <T> CompletionStage<Outcome<T>> again(Outcome.Unrecorded<T> open) {
        return Stages.compose(executor.again(open), this::recorded);
    }
}
