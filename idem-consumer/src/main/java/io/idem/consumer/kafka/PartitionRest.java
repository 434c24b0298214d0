package io.idem.consumer.kafka;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BackOffHandler;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Lets the partition of a busy record rest. The consumer goes on polling, so it stays in its group however long that takes,
 * and the other partitions go on; the order within the partition is kept. Thread-safe.
 */
final class PartitionRest implements BackOffHandler {

    private final ScheduledExecutorService timer;

    PartitionRest(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    @Override
    public void onNextBackOff(
            @Nullable MessageListenerContainer container, @Nullable Exception thrown, long unusedInterval) {
        RecordBusyException busy = RecordBusyException.in(thrown);
        if (container != null && busy != null) {
            busy.outage().ifPresentOrElse(outage -> OutageRest.until(outage, container), () -> rest(container, busy));
        }
    }

    private void rest(MessageListenerContainer container, RecordBusyException busy) {
        TopicPartition partition = busy.partition();
        container.pausePartition(partition);
        try {
            var unused = timer.schedule(
                    () -> container.resumePartition(partition), busy.pause().toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException applicationEnds) {
            container.resumePartition(partition);
        }
    }
}
