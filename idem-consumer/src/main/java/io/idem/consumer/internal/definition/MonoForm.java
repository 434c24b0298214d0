package io.idem.consumer.internal.definition;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Methods that return a {@link Mono}, and suspending functions, of which proxies make one. The container subscribes
 * once, and so does this form, at once: the work starts on the delivering thread, and cancelling the Mono that the
 * container gets does not end it.
 */
final class MonoForm implements StageForm {

    @Override
    @SuppressWarnings("unchecked")
    public CompletionStage<@Nullable Object> started(Object returned) {
        return ((Mono<Object>) returned).toFuture();
    }

    @Override
    public Object of(CompletionStage<@Nullable Object> stage) {
        return Mono.fromFuture(stage.toCompletableFuture(), true);
    }
}
