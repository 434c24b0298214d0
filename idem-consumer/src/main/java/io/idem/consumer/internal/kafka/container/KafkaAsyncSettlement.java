package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.delivery.AsyncSettlement;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.kafka.message.DeferredAcknowledgment;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import io.idem.internal.DaemonThreads;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Settles asynchronous work. Only the consumer's thread can seek, so a record that must not be acknowledged stays in
 * memory, unacknowledged, and is tried again from there; its consumer polls no new records meanwhile, but stays in its
 * group.
 *
 * @param said holds the settlements of listener and adapter; null where they do not acknowledge
 * @param retry tries the record again, from memory
 */
record KafkaAsyncSettlement(
        ConsumerRecord<?, ?> record,
        Delivery delivery,
        @Nullable DeferredAcknowledgment said,
        KafkaDecisionSettler settler,
        AsyncFailures failures,
        AsyncFailures.Retry retry)
        implements AsyncSettlement {

    @Override
    public CompletionStage<@Nullable Object> defer(
            DeliveryDecision.Defer decision, Supplier<CompletionStage<@Nullable Object>> again) {
        return after(settler.inProgress(record, delivery, decision).pause(), again);
    }

    @Override
    public CompletionStage<@Nullable Object> deadLetter(
            DeliveryDecision.DeadLetter decision, @Nullable Throwable failure) {
        try {
            settler.deadLetter(record, delivery, decision, failure);
            return CompletableFuture.completedStage(null);
        } catch (KeyInProgressException uncertain) {
            return after(uncertain.pause(), () -> deadLetter(decision, failure));
        } catch (KafkaDeadLetterException toTheContainer) {
            return failed(toTheContainer);
        }
    }

    @Override
    public CompletionStage<@Nullable Object> failed(Throwable failure) {
        if (settler.stopsFor(failure)) {
            // The record stays unacknowledged for the next owner of its partition.
            return new CompletableFuture<>();
        }
        if (said != null) {
            said.failed();
        }
        settler.leftToErrorHandler(record, delivery);
        failures.add(new AsyncFailures.FailedDelivery(record, delivery.toString(), () -> recovered(true), retry));
        return CompletableFuture.failedStage(failure);
    }

    @Override
    public void taken(boolean answered) {
        if (failures.take(record).isPresent()) {
            recovered(!answered);
            failures.ended(record);
        }
    }

    private void recovered(boolean acknowledges) {
        if (said == null) {
            return;
        }
        said.taken();
        if (acknowledges) {
            said.acknowledge();
        }
    }

    /** Passes the listener's own settlement on last: the handling of a failure comes before it. */
    @Override
    public void handOver(Runnable end) {
        boolean failed = failures.contain(record);
        if (said == null) {
            end.run();
        } else {
            said.open();
            end.run();
            said.release();
        }
        if (!failed) {
            failures.ended(record);
        }
    }

    /**
     * Continues after a pause. A container that stops leaves its unacknowledged records to the next owner of its
     * partition.
     */
    private CompletionStage<@Nullable Object> after(Duration pause, Supplier<CompletionStage<@Nullable Object>> again) {
        return Stages.compose(
                CompletableFuture.supplyAsync(delivery.message()::stopping, DaemonThreads.after(pause)),
                stopping -> stopping ? new CompletableFuture<>() : again.get());
    }
}
