package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The records of a batch that are to be acquired.
 *
 * @param all the whole batch, in the container's order
 * @param positions of the selected records
 */
record SelectedRecords(List<? extends ConsumerRecord<?, ?>> all, List<Integer> positions) {

    int size() {
        return positions.size();
    }

    /** Returns the position of a selected record in the whole batch. */
    int position(int index) {
        return positions.get(index);
    }

    ConsumerRecord<?, ?> record(int index) {
        return all.get(position(index));
    }

    List<ConsumerRecord<?, ?>> records(List<Integer> inBatch) {
        List<ConsumerRecord<?, ?>> chosen = new ArrayList<>(inBatch.size());
        inBatch.forEach(position -> chosen.add(all.get(position)));
        return chosen;
    }

    List<DeliveredMessage> messages(BooleanSupplier stopping) {
        List<DeliveredMessage> messages = new ArrayList<>(positions.size());
        positions.forEach(position -> messages.add(new KafkaDelivery(all.get(position), stopping)));
        return messages;
    }
}
