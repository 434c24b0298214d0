package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.AsyncSettlement;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import io.idem.consumer.internal.delivery.UndecidedDelivery;
import io.idem.internal.DaemonThreads;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles asynchronous work as the delivery hook would. The listener adapter then gets an end without value: it has
 * nothing to reply, and its acknowledgement comes after the message was settled and is ignored.
 */
public record RabbitAsyncSettlement(Delivery delivery, Settler settler, Way way, InPlaceWait inPlace)
        implements AsyncSettlement {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitAsyncSettlement.class);

    /** Settlement by the hook. */
    @FunctionalInterface
    public interface Way {

        void settle(DeliveryDecision decision) throws Exception;
    }

    /** Hands the message back: its next delivery acquires again. */
    @Override
    public CompletionStage<@Nullable Object> defer(
            DeliveryDecision.Defer decision, Supplier<CompletionStage<@Nullable Object>> again) {
        return settled(decision);
    }

    @Override
    public CompletionStage<@Nullable Object> await(
            DeliveryDecision.Defer decision, Supplier<CompletionStage<@Nullable Object>> again) {
        return Stages.compose(
                CompletableFuture.supplyAsync(
                        () -> inPlace.pause(decision.retryAfter()), DaemonThreads.after(Duration.ZERO)),
                waited -> waited ? again.get() : settled(decision));
    }

    @Override
    public CompletionStage<@Nullable Object> deadLetter(
            DeliveryDecision.DeadLetter decision, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.debug("{} failed for good in scope \"{}\"", delivery, decision.scope(), failure);
        }
        return settled(decision);
    }

    @Override
    public CompletionStage<@Nullable Object> failed(Throwable failure) {
        Optional<DeliveryDecision.Stop> refusal = UndecidedDelivery.refusal(failure);
        return refusal.isPresent() ? settled(refusal.get()) : CompletableFuture.failedStage(failure);
    }

    /** Releases the listener's own settlement, which was held back until here. */
    @Override
    public void handOver(Runnable end) {
        try {
            settler.handOver();
        } catch (Exception closed) {
            LOG.warn("{} could not be handed back after its work ended; it stays unacknowledged", delivery, closed);
        }
        end.run();
    }

    /**
     * Settles and returns an end without value. A closed channel cannot settle; its messages come again by themselves.
     */
    private CompletionStage<@Nullable Object> settled(DeliveryDecision decision) {
        try {
            way.settle(decision);
        } catch (Exception closed) {
            LOG.warn("{} could not be settled after its work ended; it stays unacknowledged", delivery, closed);
        }
        return CompletableFuture.completedStage(null);
    }
}
