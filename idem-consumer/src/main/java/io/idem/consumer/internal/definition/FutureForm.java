package io.idem.consumer.internal.definition;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Methods that return a {@link CompletableFuture}. */
final class FutureForm implements StageForm {

    @Override
    @SuppressWarnings("unchecked")
    public CompletionStage<@Nullable Object> started(Object returned) {
        return (CompletableFuture<@Nullable Object>) returned;
    }

    /** Returns the stage as a future; the container waits for its end. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public Object of(CompletionStage<@Nullable Object> stage) {
        return stage.toCompletableFuture();
    }
}
