package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.adapter.AbstractDelegatingMessageListenerAdapter;
import org.springframework.kafka.support.Acknowledgment;

/**
 * The delivery hook of batches: passes the records that are to run to the container's own listener, in the shape that
 * it takes.
 */
public final class IdempotentBatchListener<K, V>
        extends AbstractDelegatingMessageListenerAdapter<BatchMessageListener<K, V>>
        implements BatchAcknowledgingConsumerAwareMessageListener<K, V> {

    private final AdvisedListener<BatchMessageListener<K, V>> listener;
    private final Supplier<BatchSettlement> settlement;
    private final PartialAcks partialAcks;
    private final OpenOffsets open;

    /**
     * Makes a hook around a listener.
     *
     * @param settlement needed at the first batch: the hook exists before the beans it needs
     * @param open records that the listener has not acknowledged
     */
    public IdempotentBatchListener(
            AdvisedListener<BatchMessageListener<K, V>> listener,
            Supplier<BatchSettlement> settlement,
            PartialAcks partialAcks,
            OpenOffsets open) {
        super(listener.listener());
        this.listener = listener;
        this.settlement = settlement;
        this.partialAcks = partialAcks;
        this.open = open;
    }

    @Override
    public boolean wantsPollResult() {
        return delegate.wantsPollResult();
    }

    @Override
    public void onMessage(
            List<ConsumerRecord<K, V>> records, @Nullable Acknowledgment container, @Nullable Consumer<?, ?> consumer) {
        if (records.isEmpty()) {
            // A filter dropped the whole batch, and the listener, which is to run for nothing, cannot acknowledge it.
            if (!open.isAnyOpen()) {
                KafkaDecisionSettler.acknowledge(container);
            }
            return;
        }
        HeldKafkaAck said = HeldKafkaAck.of(container, partialAcks, pass -> open.delivered(records, pass));
        settlement.get().deliver(records, container, said, chosen -> () -> {
            callListener(chosen(records, chosen), said, consumer);
            return null;
        });
    }

    /** A container calls the method that its own listener has. */
    @Override
    public void onMessage(List<ConsumerRecord<K, V>> data) {
        onMessage(data, null, null);
    }

    @Override
    public void onMessage(List<ConsumerRecord<K, V>> data, @Nullable Acknowledgment container) {
        onMessage(data, container, null);
    }

    @Override
    public void onMessage(List<ConsumerRecord<K, V>> data, @Nullable Consumer<?, ?> consumer) {
        onMessage(data, null, consumer);
    }

    @Override
    public void onPartitionsRevoked(@Nullable Collection<TopicPartition> partitions) {
        super.onPartitionsRevoked(partitions);
        if (partitions != null) {
            open.revoked(partitions);
        }
    }

    @Override
    public void unregisterSeekCallback() {
        super.unregisterSeekCallback();
        open.consumerEnded();
    }

    @Override
    public void onMessage(ConsumerRecords<K, V> polled, @Nullable Acknowledgment container, Consumer<K, V> consumer) {
        List<ConsumerRecord<K, V>> records = new ArrayList<>(polled.count());
        polled.forEach(records::add);
        HeldKafkaAck said = HeldKafkaAck.of(container, PartialAcks.NO_LIST, pass -> open.delivered(records, pass));
        settlement.get().deliver(records, container, said, chosen -> () -> {
            listener.called().onMessage(asPolled(polled, chosen(records, chosen)), said, consumer);
            return null;
        });
    }

    private static <R> List<R> chosen(List<R> records, List<Integer> positions) {
        List<R> chosen = new ArrayList<>(positions.size());
        positions.forEach(position -> chosen.add(records.get(position)));
        return chosen;
    }

    private static <K, V> ConsumerRecords<K, V> asPolled(
            ConsumerRecords<K, V> polled, List<ConsumerRecord<K, V>> chosen) {
        Map<TopicPartition, List<ConsumerRecord<K, V>>> partitions = new LinkedHashMap<>();
        chosen.forEach(record -> partitions
                .computeIfAbsent(OpenOffsets.partition(record), none -> new ArrayList<>())
                .add(record));
        return new ConsumerRecords<>(partitions, polled.nextOffsets());
    }

    private void callListener(
            List<ConsumerRecord<K, V>> records, @Nullable Acknowledgment said, @Nullable Consumer<?, ?> consumer) {
        BatchMessageListener<K, V> called = listener.called();
        switch (delegateType) {
            case ACKNOWLEDGING_CONSUMER_AWARE -> called.onMessage(records, said, consumer);
            case ACKNOWLEDGING -> called.onMessage(records, said);
            case CONSUMER_AWARE -> called.onMessage(records, consumer);
            default -> called.onMessage(records);
        }
    }

    /** Makes the hand-over of some records of a batch, named by their positions. */
    @FunctionalInterface
    interface HandOvers {

        CurrentDelivery.HandOver of(List<Integer> positions);
    }
}
