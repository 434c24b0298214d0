package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.batch.BatchListener;
import io.idem.consumer.internal.kafka.batch.BatchSettlement;
import io.idem.consumer.internal.kafka.batch.FilterBehindOpenWork;
import io.idem.consumer.internal.kafka.batch.IdempotentBatchListener;
import io.idem.consumer.internal.kafka.batch.PartialAcks;
import io.idem.consumer.internal.kafka.batch.SuspectConsumerRecords;
import io.idem.consumer.internal.kafka.message.AdapterFields;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.adapter.FilteringBatchMessageListenerAdapter;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts the delivery hook into the container of a batch listener. A record filter stays in front of it: dropped records
 * never run, so they must not be recorded as done.
 *
 * @param listener needed at the first batch, like {@code settler}
 * @param open records that the listener has not acknowledged
 */
record BatchHook(
        AbstractMessageListenerContainer<Object, Object> container,
        Supplier<BatchListener> listener,
        Supplier<KafkaDecisionSettler> settler,
        Duration longestHold,
        OpenOffsets open) {

    /** Puts the hook in front of a listener, and returns the listener that the hook calls. */
    AdvisedListener<?> install(BatchMessageListener<Object, Object> own) {
        if (own instanceof FilteringBatchMessageListenerAdapter<Object, Object> filter) {
            AdvisedListener<BatchMessageListener<Object, Object>> listened =
                    new AdvisedListener<>(filter.getDelegate());
            container.setupMessageListener(new FilteringBatchMessageListenerAdapter<>(
                    hook(listened, PartialAcks.FILTERED),
                    new FilterBehindOpenWork<>(AdapterFields.strategy(filter), open),
                    AdapterFields.acknowledgesDiscarded(filter)));
            return listened;
        }
        AdvisedListener<BatchMessageListener<Object, Object>> listened = new AdvisedListener<>(own);
        container.setupMessageListener(hook(listened, partialAcks()));
        return listened;
    }

    private IdempotentBatchListener<Object, Object> hook(
            AdvisedListener<BatchMessageListener<Object, Object>> own, PartialAcks partialAcks) {
        Supplier<BatchSettlement> batches = SingletonSupplier.of(() -> new BatchSettlement(
                listener,
                settler.get(),
                longestHold,
                () -> !container.isRunning(),
                open,
                new SuspectConsumerRecords()));
        return new IdempotentBatchListener<>(own, batches, partialAcks, open);
    }

    private PartialAcks partialAcks() {
        return container.getContainerProperties().getAckMode() == AckMode.MANUAL_IMMEDIATE
                ? PartialAcks.ALLOWED
                : PartialAcks.NOT_IMMEDIATE;
    }
}
