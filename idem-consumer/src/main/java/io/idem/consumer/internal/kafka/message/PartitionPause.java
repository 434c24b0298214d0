package io.idem.consumer.internal.kafka.message;

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
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Pauses the partition of a record whose key is in progress, or all of them while the store is silent. The consumer
 * goes on polling, so it stays in its group however long that takes, and the other partitions go on; the order within
 * the partition is kept. Thread-safe.
 */
public record PartitionPause(ScheduledExecutorService timer) implements BackOffHandler {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionPause.class);

    @Override
    public void onNextBackOff(
            @Nullable MessageListenerContainer container, @Nullable Exception thrown, long unusedInterval) {
        KeyInProgressException inProgress = KeyInProgressException.in(thrown);
        if (container != null && inProgress != null) {
            LOG.debug("{}; its partition is paused", inProgress.getMessage());
            for (MessageListenerContainer consumer : singleConsumers(container)) {
                Collection<TopicPartition> assigned = consumer.getAssignedPartitions();
                List.copyOf(assigned == null ? List.of() : assigned).stream()
                        .filter(partition -> waits(partition, inProgress))
                        .forEach(partition -> pause(consumer, partition, inProgress));
            }
        }
    }

    /** Returns the containers of single consumers, which alone know the partitions that they were asked to pause. */
    private static Collection<? extends MessageListenerContainer> singleConsumers(MessageListenerContainer container) {
        return container instanceof ConcurrentMessageListenerContainer<?, ?> several
                ? several.getContainers()
                : List.of(container);
    }

    /** Returns whether a partition waits: that of the record, and every one while the store answers nothing. */
    private static boolean waits(TopicPartition partition, KeyInProgressException inProgress) {
        return partition.equals(inProgress.partition())
                || inProgress.outage().filter(outage -> !outage.isReadable()).isPresent();
    }

    /**
     * Pauses a partition, unless it is paused already. Partitions are paused one by one, not the container as a whole:
     * a container does not tell who paused it, and one that the application paused meanwhile would be resumed.
     */
    private void pause(MessageListenerContainer consumer, TopicPartition partition, KeyInProgressException inProgress) {
        if (!consumer.isPartitionPauseRequested(partition)) {
            consumer.pausePartition(partition);
            Runnable resume = () -> consumer.resumePartition(partition);
            inProgress
                    .outage()
                    .ifPresentOrElse(outage -> outage.whenOver(resume), () -> after(inProgress.pause(), resume));
        }
    }

    private void after(Duration pause, Runnable resume) {
        try {
            var unused = timer.schedule(resume, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException applicationEnds) {
            resume.run();
        }
    }
}
