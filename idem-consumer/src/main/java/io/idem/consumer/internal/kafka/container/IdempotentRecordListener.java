package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.delivery.ContainerTransaction;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.kafka.message.AdapterFields;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.DeferredAcknowledgment;
import io.idem.consumer.internal.kafka.message.DeliveryHook;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import io.idem.internal.DaemonThreads;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.Acknowledgment;

/**
 * The delivery hook: binds each record to the thread, hands it to the container's own listener, and settles by the
 * decision.
 */
public final class IdempotentRecordListener<K, V> extends DeliveryHook<ConsumerRecord<K, V>, MessageListener<K, V>>
        implements AcknowledgingConsumerAwareMessageListener<K, V> {

    private final Supplier<KafkaDecisionSettler> settler;
    private final Supplier<Duration> inPlaceWait;
    private final Duration longestHold;
    private final BooleanSupplier stopping;
    private final AsyncFailures asyncFailures;
    private final RecoveredConsumerRecords recovered;
    private final @Nullable CommittedDeliveries transactions;

    /**
     * Makes a hook around a listener.
     *
     * @param settler needed at the first record: the hook exists before the beans it needs
     * @param inPlaceWait needed at the first record, too
     * @param asyncFailures of the container
     * @param recovered records that its error handler has recovered and that are still to be acknowledged
     * @param open records that its listener has not acknowledged; null where the container or the listener's adapter
     *     acknowledges
     * @param transactions learns which delivery a transaction belongs to; null for a container without transactions
     * @param longestHold how long the consumer's thread may be held for an effect that is not recorded yet
     */
    IdempotentRecordListener(
            AdvisedListener<MessageListener<K, V>> listener,
            Supplier<KafkaDecisionSettler> settler,
            Supplier<Duration> inPlaceWait,
            Duration longestHold,
            BooleanSupplier stopping,
            AsyncFailures asyncFailures,
            RecoveredConsumerRecords recovered,
            @Nullable OpenOffsets open,
            @Nullable CommittedDeliveries transactions) {
        super(listener, open);
        this.settler = settler;
        this.inPlaceWait = inPlaceWait;
        this.longestHold = longestHold;
        this.stopping = stopping;
        this.asyncFailures = asyncFailures;
        this.recovered = recovered;
        this.transactions = transactions;
    }

    @Override
    public void onMessage(
            ConsumerRecord<K, V> record, @Nullable Acknowledgment container, @Nullable Consumer<?, ?> consumer) {
        if (Probe.endsAt(this)) {
            return;
        }
        settler.get().sinceStopped(record).ifPresent(back -> {
            throw back;
        });
        if (recovered.take(record)) {
            KafkaDecisionSettler.acknowledge(container);
            return;
        }
        asyncFailures.delivered(record);
        Delivery delivery = newDelivery(record);
        if (open == null || container == null) {
            deliverOnce(delivery, record, container, consumer);
            return;
        }
        OpenOffsets.TrackedDelivery tracked = open.delivered(record, container);
        boolean returned = false;
        try {
            deliverOnce(delivery, record, tracked, consumer);
            returned = true;
        } finally {
            // A failed record is left to the error handler; a transaction that is rolled back has none.
            if (returned || transactions != null) {
                tracked.returned();
            }
        }
    }

    private Delivery newDelivery(ConsumerRecord<K, V> record) {
        return new Delivery(new KafkaDelivery(record, stopping), longestHold);
    }

    private AsyncFailures.Retry retry(
            ConsumerRecord<K, V> record, @Nullable Acknowledgment container, @Nullable Consumer<?, ?> consumer) {
        return new AsyncFailures.Retry(
                asyncFailures.assignment(record),
                () -> deliverAgain(record, container, consumer),
                failure -> AdapterFields.tellOfAsyncFailure(listener.listener(), record, failure));
    }

    /** Delivers a record once more whose asynchronous work has failed: from memory, and unacknowledged. */
    private void deliverAgain(
            ConsumerRecord<K, V> record, @Nullable Acknowledgment container, @Nullable Consumer<?, ?> consumer) {
        boolean ofNextOwner = stopping.getAsBoolean()
                || settler.get().sinceStopped(record).isPresent()
                || !asyncFailures.isTried(record);
        if (ofNextOwner) {
            // The record stays unacknowledged for the next owner of its partition.
            return;
        }
        AsyncFailures.Retry retry = retry(record, container, consumer);
        Delivery delivery = newDelivery(record);
        try {
            deliver(delivery, record, container, consumer, retry);
        } catch (KeyInProgressException inProgress) {
            DaemonThreads.after(inProgress.pause()).execute(retry.deliver());
            return;
        } catch (RuntimeException | Error failure) {
            asyncFailures.add(new AsyncFailures.FailedDelivery(
                    record, delivery.toString(), () -> KafkaDecisionSettler.acknowledge(container), retry));
            retry.tell()
                    .accept(
                            failure instanceof RuntimeException exception
                                    ? exception
                                    : new ListenerExecutionFailedException("A retry ended with an error", failure));
            return;
        }
        DeliveryDecision decision = delivery.decision().orElse(null);
        if (decision instanceof DeliveryDecision.Failed) {
            // The listener's own error handler took what the method threw, and answered nothing.
            KafkaDecisionSettler.acknowledge(container);
        }
        if (!(decision instanceof DeliveryDecision.Handed)) {
            asyncFailures.ended(record);
        }
    }

    private void deliverOnce(
            Delivery delivery,
            ConsumerRecord<K, V> record,
            @Nullable Acknowledgment container,
            @Nullable Consumer<?, ?> consumer) {
        if (transactions == null) {
            deliver(delivery, record, container, consumer, retry(record, container, consumer));
            return;
        }
        ContainerTransaction transaction = new ContainerTransaction(() -> false);
        delivery.within(transaction);
        try {
            deliver(delivery, record, container, consumer, retry(record, container, consumer));
        } finally {
            transactions.endsNext(transaction);
        }
    }

    private void deliver(
            Delivery delivery,
            ConsumerRecord<K, V> record,
            @Nullable Acknowledgment container,
            @Nullable Consumer<?, ?> consumer,
            AsyncFailures.Retry retry) {
        InPlaceWait wait = new InPlaceWait(inPlaceWait.get(), stopping);
        while (true) {
            DeferredAcknowledgment said = container == null ? null : new DeferredAcknowledgment(container, delivery);
            if (said != null && open != null) {
                delivery.settledBy(said);
            }
            delivery.settleAsyncBy(
                    new KafkaAsyncSettlement(record, delivery, said, settler.get(), asyncFailures, retry));
            RuntimeException failure =
                    CurrentDelivery.failureWith(delivery, () -> callListener(record, said, consumer));
            if (!(delivery.decision().orElse(null) instanceof DeliveryDecision.Defer deferral)
                    || deferral.outage().isPresent()
                    || !wait.pause(deferral.retryAfter())) {
                settler.get().settle(record, delivery, said, container, failure);
                return;
            }
            delivery.reset();
        }
    }

    @Override
    public void onPartitionsRevoked(@Nullable Collection<TopicPartition> partitions) {
        super.onPartitionsRevoked(partitions);
        if (partitions != null) {
            asyncFailures.reassigned(partitions);
        }
    }
}
