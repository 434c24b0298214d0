package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.internal.outage.StoreOutage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.BackOffHandler;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Pauses the partition of a record whose key is in progress, or all of them while the store is silent. The consumer
 * goes on polling, so it stays in its group however long that takes, and the other partitions go on; the order within
 * the partition is kept. Thread-safe.
 */
public final class PartitionPause implements BackOffHandler {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionPause.class);

    private final ScheduledExecutorService timer;

    public PartitionPause(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    @Override
    public void onNextBackOff(
            @Nullable MessageListenerContainer container, @Nullable Exception thrown, long unusedInterval) {
        KeyInProgressException inProgress = KeyInProgressException.in(thrown);
        if (container != null && inProgress != null) {
            inProgress
                    .outage()
                    .ifPresentOrElse(outage -> pauseAll(outage, container), () -> pause(container, inProgress));
        }
    }

    /**
     * Pauses all partitions of a container while the store is silent. Partitions are paused one by one, not the
     * container as a whole: a container does not tell who paused it, and one that the application paused meanwhile
     * would be resumed. A partition that is paused already is left as it is.
     */
    private static void pauseAll(StoreOutage over, MessageListenerContainer container) {
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

    /** Pauses a partition, unless it is paused already. */
    private void pause(MessageListenerContainer container, KeyInProgressException inProgress) {
        LOG.debug("{}; its partition is paused for {}", inProgress.getMessage(), inProgress.pause());
        TopicPartition partition = inProgress.partition();
        for (MessageListenerContainer consumer : SingleConsumers.of(container)) {
            Collection<TopicPartition> assigned = consumer.getAssignedPartitions();
            if (assigned != null && assigned.contains(partition) && !consumer.isPartitionPauseRequested(partition)) {
                consumer.pausePartition(partition);
                resumeAfter(inProgress.pause(), consumer, partition);
            }
        }
    }

    private void resumeAfter(Duration pause, MessageListenerContainer consumer, TopicPartition partition) {
        try {
            var unused =
                    timer.schedule(() -> consumer.resumePartition(partition), pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException applicationEnds) {
            consumer.resumePartition(partition);
        }
    }
}
