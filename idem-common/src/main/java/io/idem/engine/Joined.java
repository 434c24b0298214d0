package io.idem.engine;

import io.idem.FailurePolicy;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for stages and rethrows what they failed with, unwrapped. Those of {@link StoreAccess#ofCaller} are complete already. */
final class Joined {

    private Joined() {}

    /** For stages that fail with unchecked exceptions only. */
    static <T> T of(CompletionStage<T> stage) {
        try {
            return orThrow(stage);
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new IllegalStateException(checked);
        }
    }

    static <T> T orThrow(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException wrapped) {
            throw rethrown(FailurePolicy.unwrapped(wrapped));
        }
    }

    private static Exception rethrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof Exception exception ? exception : new IllegalStateException(failure);
    }
}
