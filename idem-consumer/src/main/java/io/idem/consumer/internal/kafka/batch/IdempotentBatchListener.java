package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.DeliveryHook;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.util.ArrayList;
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
import org.springframework.kafka.support.Acknowledgment;

/**
 * The delivery hook of batches: passes the records that are to run to the container's own listener, in the shape that
 * it takes.
 */
public final class IdempotentBatchListener<K, V>
        extends DeliveryHook<List<ConsumerRecord<K, V>>, BatchMessageListener<K, V>>
        implements BatchAcknowledgingConsumerAwareMessageListener<K, V> {

    private final Supplier<BatchSettlement> settlement;
    private final PartialAcks partialAcks;
    private final OpenOffsets unacknowledged;

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
        super(listener, open);
        this.settlement = settlement;
        this.partialAcks = partialAcks;
        this.unacknowledged = open;
    }

    @Override
    public boolean wantsPollResult() {
        return delegate.wantsPollResult();
    }

    @Override
    public void onMessage(
            List<ConsumerRecord<K, V>> records, @Nullable Acknowledgment container, @Nullable Consumer<?, ?> consumer) {
        if (Probe.endsAt(this)) {
            return;
        }
        if (records.isEmpty()) {
            // A filter dropped the whole batch, and the listener, which is to run for nothing, cannot acknowledge it.
            if (!unacknowledged.isAnyOpen()) {
                KafkaDecisionSettler.acknowledge(container);
            }
            return;
        }
        HeldKafkaAck said = HeldKafkaAck.of(container, partialAcks, pass -> unacknowledged.delivered(records, pass));
        settlement.get().deliver(records, container, said, chosen -> () -> {
            callListener(chosen(records, chosen), said, consumer);
            return null;
        });
    }

    @Override
    public void onMessage(ConsumerRecords<K, V> polled, @Nullable Acknowledgment container, Consumer<K, V> consumer) {
        List<ConsumerRecord<K, V>> records = new ArrayList<>(polled.count());
        polled.forEach(records::add);
        HeldKafkaAck said =
                HeldKafkaAck.of(container, PartialAcks.NO_LIST, pass -> unacknowledged.delivered(records, pass));
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

    /** Makes the hand-over of some records of a batch, named by their positions. */
    @FunctionalInterface
    interface HandOvers {

        CurrentDelivery.HandOver of(List<Integer> positions);
    }
}
