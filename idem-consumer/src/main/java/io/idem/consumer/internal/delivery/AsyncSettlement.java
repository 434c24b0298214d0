package io.idem.consumer.internal.delivery;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settlement of a delivery whose work ended after the delivery hook had returned, where the container's own adapter
 * must not act on the end. Called on workers; may block them.
 */
public interface AsyncSettlement {

    /**
     * Not now: the message is not acknowledged.
     *
     * @param again asks for the key and runs the work once more, without another delivery
     * @return what the adapter is to get, as the end of the listener's stage
     */
    CompletionStage<@Nullable Object> defer(
            DeliveryDecision.Defer decision, Supplier<CompletionStage<@Nullable Object>> again);

    /**
     * Never: makes the message a dead letter.
     *
     * @param failure for which the record was rejected; null if it was for something else
     * @return what the adapter is to get
     */
    CompletionStage<@Nullable Object> deadLetter(DeliveryDecision.DeadLetter decision, @Nullable Throwable failure);

    /**
     * The work failed and the key was given back: the container's own policy acts on the failure.
     *
     * @return what the adapter is to get: fails
     */
    CompletionStage<@Nullable Object> failed(Throwable failure);

    /**
     * Gives the adapter the end of the listener's stage, by which everything is settled that is not the adapter's business: what it and
     * the listener say to the broker may get through.
     *
     * @param end lets the adapter act
     */
    default void handOver(Runnable end) {
        end.run();
    }
}
