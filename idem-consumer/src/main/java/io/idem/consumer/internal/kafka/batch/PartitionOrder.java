package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.internal.batch.ListenerBatch;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** Keeps the order of every partition: no record runs before one in front of it that has to wait. */
record PartitionOrder(SelectedRecords selected, ListenerBatch batch) {

    /** Repeats until nothing changes: a record that is withheld may have a copy with its key in another partition. */
    void keep() {
        List<Integer> tooEarly = tooEarly();
        while (!tooEarly.isEmpty()) {
            batch.withhold(tooEarly, "one before it in its partition has to wait");
            tooEarly = tooEarly();
        }
    }

    private List<Integer> tooEarly() {
        Set<Integer> running = new HashSet<>(batch.toRun());
        Set<TopicPartition> waiting = new HashSet<>();
        List<Integer> tooEarly = new ArrayList<>();
        for (int i = 0; i < selected.size(); i++) {
            TopicPartition partition = OpenOffsets.partition(selected.record(i));
            if (batch.decided(i)
                    .filter(DeliveryDecision.Defer.class::isInstance)
                    .isPresent()) {
                waiting.add(partition);
            } else if (running.contains(i) && waiting.contains(partition)) {
                tooEarly.add(i);
            }
        }
        return tooEarly;
    }
}
