package io.idem.engine;

import io.idem.Outcome;
import io.idem.spi.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * One more try to record an effect. Users of the blocking form see a supplier that blocks.
 *
 * @param tryOnce starts a try
 */
record RecordAgain<T>(Supplier<CompletionStage<Outcome<T>>> tryOnce) implements Supplier<Outcome<T>> {

    /** Returns the next try of an outcome, which need not come from this engine. */
    static <T> RecordAgain<T> of(Outcome.Unrecorded<T> open) {
        return open.again() instanceof RecordAgain<T> again
                ? again
                : new RecordAgain<>(
                        () -> CompletableFuture.completedFuture(open.again().get()));
    }

    CompletionStage<Outcome<T>> start() {
        return tryOnce.get();
    }

    @Override
    public Outcome<T> get() {
        try (Interrupts unused = Interrupts.defer()) {
            return Stages.join(start());
        }
    }
}
