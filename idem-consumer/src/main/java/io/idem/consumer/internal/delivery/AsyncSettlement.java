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
     * Defers the message, which is not acknowledged.
     *
     * @param again acquires again and runs the work once more, without another delivery
     * @return the stage for the adapter, as the end of the listener's stage
     */
    CompletionStage<@Nullable Object> defer(
            DeliveryDecision.Defer decision, Supplier<CompletionStage<@Nullable Object>> again);

    /**
     * Keeps the message whose work could not run now, and runs it once more after a pause: its next delivery would be granted
     * at once.
     */
    default CompletionStage<@Nullable Object> await(
            DeliveryDecision.Defer decision, Supplier<CompletionStage<@Nullable Object>> again) {
        return defer(decision, again);
    }

    /**
     * Makes the message a dead letter.
     *
     * @param failure for which the record was rejected; null if it was for something else
     * @return the stage for the adapter
     */
    CompletionStage<@Nullable Object> deadLetter(DeliveryDecision.DeadLetter decision, @Nullable Throwable failure);

    /**
     * Leaves a failure to the container's own policy; the key is released already.
     *
     * @return the stage for the adapter, which fails
     */
    CompletionStage<@Nullable Object> failed(Throwable failure);

    /**
     * Notes that the listener's own error handler, which the adapter calls, has taken a failure: the work is not tried again.
     *
     * @param answered whether the adapter gets a result, which it replies with and acknowledges
     */
    default void taken(boolean answered) {}

    /**
     * Gives the adapter the end of the listener's stage. By it everything is settled that idem does not settle itself:
     * the adapter's and the listener's settlements may get through.
     *
     * @param end lets the adapter act
     */
    default void handOver(Runnable end) {
        end.run();
    }
}
