package io.idem.consumer.internal.call;

import io.idem.consumer.internal.delivery.AsyncSettlement;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Makes the stage that the container's adapter gets for asynchronous work. The adapter replies where the stage ends, on
 * whatever thread that is, and the reply's headers are those of the delivery.
 */
final class HandedStage {

    private HandedStage() {}

    /** Returns a stage that ends as the other does, with the delivery bound to the thread. */
    static CompletionStage<@Nullable Object> of(
            CompletionStage<@Nullable Object> end, Delivery delivery, AsyncSettlement settlement) {
        CompletableFuture<@Nullable Object> handed = new CompletableFuture<>();
        var unused = end.whenComplete((value, failure) ->
                settlement.handOver(() -> CurrentDelivery.runWith(delivery, () -> complete(handed, value, failure))));
        return handed;
    }

    private static void complete(
            CompletableFuture<@Nullable Object> handed, @Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            handed.complete(value);
        } else {
            handed.completeExceptionally(failure);
        }
    }
}
