package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BatchListener;
import io.idem.consumer.internal.batch.ListenerBatch;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import io.idem.internal.Causes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Runs and settles the batches of one container. After a normal return the container goes on, and commits where that is
 * its task; an exception names the first record that is not settled: those before it are committed, it and the later
 * ones come again.
 *
 * @param listeners supplies the listener at each batch; a refusal is not the records' fault
 * @param longestHold how long the consumer's thread may be held for effects that are not recorded yet
 * @param open records that the listener has not acknowledged
 * @param suspects records to ask for one by one; none at the beginning
 */
public record BatchSettlement(
        Supplier<BatchListener> listeners,
        KafkaDecisionSettler settler,
        Duration longestHold,
        BooleanSupplier stopping,
        OpenOffsets open,
        SuspectConsumerRecords suspects) {

    /**
     * Delivers a batch. Blocks.
     *
     * @param container the container's own acknowledgement; null where the listener does not acknowledge
     * @param said holds the listener's own settlements; null where it does not acknowledge
     */
    void deliver(
            List<? extends ConsumerRecord<?, ?>> records,
            @Nullable Acknowledgment container,
            @Nullable HeldKafkaAck said,
            IdempotentBatchListener.HandOvers handOvers) {
        ConsumerRecord<?, ?> first = records.get(0);
        settler.sinceStopped(first).ifPresent(back -> {
            throw SettledBatch.about(first, back);
        });
        try {
            deliver(listeners.get(), new SelectedRecords(records, toAskFor(records)), container, said, handOvers);
        } catch (ListenerConfigurationException refusal) {
            throw SettledBatch.about(first, settler.stopped(first, refusal));
        }
    }

    private void deliver(
            BatchListener listener,
            SelectedRecords selected,
            @Nullable Acknowledgment container,
            @Nullable HeldKafkaAck said,
            IdempotentBatchListener.HandOvers handOvers) {
        if (selected.size() == 0) {
            SettledBatch.throwNotNow(listener.scope(), settler, selected.all().get(0), stopping);
        }
        try (ListenerBatch batch = listener.acquire(selected.messages(stopping), longestHold)) {
            new PartitionOrder(selected, batch).keep();
            boolean payloadsOnly = ConversionFailures.areHiddenFrom(listener.method());
            List<Integer> running = toRun(batch, selected);
            Optional<RuntimeException> failure = run(batch, selected, running, said, payloadsOnly, handOvers);
            while (!batch.toRun().isEmpty()) {
                // The records that could not be converted are left out now.
                running = toRun(batch, selected);
                failure = run(batch, selected, running, said, payloadsOnly, handOvers);
            }
            if (batch.refusedUnconverted()) {
                // The listener got no records, so it does not acknowledge.
                running = List.of();
            }
            settle(new SettledBatch(listener.scope(), selected, batch, running, failure, said, stopping, open), said);
            acknowledge(running, container, said);
        }
    }

    /**
     * Returns the positions of the records to acquire. A batch behind one that is not acknowledged waits: the error
     * handler would commit both.
     */
    private List<Integer> toAskFor(List<? extends ConsumerRecord<?, ?>> records) {
        return suspects.toAskFor(records).stream()
                .filter(position -> !open.holdsUp(OpenOffsets.partition(records.get(position))))
                .toList();
    }

    private static List<Integer> toRun(ListenerBatch batch, SelectedRecords selected) {
        return batch.toRun().stream().map(selected::position).toList();
    }

    private static Optional<RuntimeException> run(
            ListenerBatch batch,
            SelectedRecords selected,
            List<Integer> running,
            @Nullable HeldKafkaAck said,
            boolean payloadsOnly,
            IdempotentBatchListener.HandOvers handOvers) {
        if (running.isEmpty()) {
            return Optional.empty();
        }
        if (said != null) {
            said.handedOver(running);
        }
        FailedConsumerRecord failed = new FailedConsumerRecord(selected.records(running), said, payloadsOnly);
        return batch.run(handOvers.of(running), failed).map(Causes::unchecked);
    }

    private void settle(SettledBatch batch, @Nullable HeldKafkaAck said) {
        batch.selectedRecords().forEach(suspects::forget);
        batch.unsettled().forEach(suspects::suspect);
        suspects.apart(batch.undone());
        try {
            batch.settle(settler);
        } catch (RuntimeException comesAgain) {
            if (said != null) {
                said.withdraw();
            }
            throw comesAgain;
        }
    }

    private static void acknowledge(
            List<Integer> running, @Nullable Acknowledgment container, @Nullable HeldKafkaAck said) {
        if (container == null || said == null) {
            return;
        }
        if (running.isEmpty()) {
            container.acknowledge();
        } else {
            said.release();
        }
    }
}
