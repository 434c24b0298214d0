package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.internal.outage.StoreOutage;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Pauses all partitions of a container while the store is silent. The consumers go on polling, so they stay in their
 * group however long that takes.
 *
 * <p>Partitions are paused one by one, not the container as a whole: a container does not tell who paused it, and one
 * that the application paused meanwhile would be resumed. A partition that is paused already is left as it is.
 */
final class OutagePause {

    private OutagePause() {}

    static void until(StoreOutage over, MessageListenerContainer container) {
        for (MessageListenerContainer consumer : SingleConsumers.of(container)) {
            Collection<TopicPartition> assigned = consumer.getAssignedPartitions();
            if (assigned != null) {
                List.copyOf(assigned).forEach(partition -> pause(over, consumer, partition));
            }
        }
    }

    private static void pause(StoreOutage over, MessageListenerContainer consumer, TopicPartition partition) {
        if (!consumer.isPartitionPauseRequested(partition)) {
            consumer.pausePartition(partition);
            over.whenOver(() -> consumer.resumePartition(partition));
        }
    }
}
