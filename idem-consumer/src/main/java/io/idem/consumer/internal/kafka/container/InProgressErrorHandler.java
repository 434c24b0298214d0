package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.batch.BatchRetryEnd;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import io.idem.consumer.internal.kafka.message.PartitionPause;
import io.idem.internal.method.HiddenMembers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Decorates the container's own error handler. Records in progress go to a handler that redelivers without limit and
 * never recovers; all other records, and all other calls, go to the container's own handler.
 */
public final class InProgressErrorHandler implements CommonErrorHandler {

    private final CommonErrorHandler own;
    private final DefaultErrorHandler redelivering;
    private final AsyncFailures asyncFailures;
    private final @Nullable RecoveredConsumerRecords recovered;
    private final @Nullable OpenOffsets open;

    /**
     * Decorates an error handler.
     *
     * @param recovered null for a container that commits in order
     * @param open records that its listener acknowledges after its return; null for all other listeners
     */
    InProgressErrorHandler(
            CommonErrorHandler own,
            PartitionPause pause,
            AsyncFailures asyncFailures,
            @Nullable RecoveredConsumerRecords recovered,
            @Nullable OpenOffsets open) {
        HiddenMembers.checkOverrides(InProgressErrorHandler.class);
        this.open = open;
        this.own = own;
        this.asyncFailures = asyncFailures;
        this.recovered = recovered;
        // The pause comes with each exception; the interval only means "not at once, and without limit".
        this.redelivering = new DefaultErrorHandler(null, new FixedBackOff(1, FixedBackOff.UNLIMITED_ATTEMPTS), pause);
        // Every cause counts as retryable, and is not reported: a record in progress has not failed.
        redelivering.setClassifications(Map.of(), true);
        redelivering.setLogLevel(KafkaException.Level.DEBUG);
    }

    private CommonErrorHandler responsibleFor(Exception thrown) {
        return KeyInProgressException.in(thrown) == null ? own : redelivering;
    }

    @Override
    public boolean handleOne(
            Exception thrown,
            ConsumerRecord<?, ?> record,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        boolean handled = responsibleFor(thrown).handleOne(thrown, record, consumer, container);
        if (open != null && handled) {
            open.recovered(record);
        }
        return handled;
    }

    @Override
    public void handleRemaining(
            Exception thrown,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        // The container hands such a failure over alone, and what a method throws with all records behind it.
        AsyncFailures.FailedDelivery late =
                records.size() == 1 ? asyncFailures.take(records.get(0)).orElse(null) : null;
        if (late != null && thrown instanceof RuntimeException failure) {
            asyncFailures.handle(own, failure, late, consumer, container);
        } else if (recovered != null) {
            recovered.handle(responsibleFor(thrown), thrown, records, consumer, container);
        } else {
            handleInOrder(thrown, records, consumer, container);
        }
    }

    /**
     * Returns only if the first record was recovered: then the container commits it, unless {@link #isAckAfterHandle}
     * forbids that.
     */
    private void handleInOrder(
            Exception thrown,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        CommonErrorHandler responsible = responsibleFor(thrown);
        if (open == null) {
            responsible.handleRemaining(thrown, records, consumer, container);
            return;
        }
        try {
            responsible.handleRemaining(thrown, records, consumer, container);
        } catch (RuntimeException soughtBack) {
            open.redelivered(records.get(0));
            throw soughtBack;
        }
        open.recovered(records.get(0));
    }

    @Override
    public void clearThreadState() {
        redelivering.clearThreadState();
        own.clearThreadState();
    }

    @Override
    public boolean seeksAfterHandling() {
        return own.seeksAfterHandling();
    }

    @Override
    public boolean deliveryAttemptHeader() {
        return own.deliveryAttemptHeader();
    }

    @Override
    public int deliveryAttempt(TopicPartitionOffset position) {
        return own.deliveryAttempt(position);
    }

    @Override
    public void handleOtherException(
            Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
        own.handleOtherException(thrown, consumer, container, batchListener);
    }

    @Override
    public void handleBatch(
            Exception thrown,
            ConsumerRecords<?, ?> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        try {
            responsibleFor(thrown)
                    .handleBatch(thrown, records, consumer, container, BatchRetryEnd.watching(invokeListener));
        } catch (BatchRetryEnd aboutOneRecord) {
            handleBatch(aboutOneRecord.thrown(), records, consumer, container, invokeListener);
        }
    }

    @Override
    public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
            Exception thrown,
            ConsumerRecords<?, ?> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        try {
            return responsibleFor(thrown)
                    .handleBatchAndReturnRemaining(
                            thrown, records, consumer, container, BatchRetryEnd.watching(invokeListener));
        } catch (BatchRetryEnd aboutOneRecord) {
            return handleBatchAndReturnRemaining(aboutOneRecord.thrown(), records, consumer, container, invokeListener);
        }
    }

    @Override
    public boolean isAckAfterHandle() {
        return own.isAckAfterHandle() && (open == null || !open.isKeptBack());
    }

    @Override
    public void setAckAfterHandle(boolean ack) {
        own.setAckAfterHandle(ack);
    }

    @Override
    public void onPartitionsAssigned(
            Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Runnable publishPause) {
        if (recovered != null) {
            recovered.forget(partitions);
        }
        asyncFailures.reassigned(partitions);
        own.onPartitionsAssigned(consumer, partitions, publishPause);
    }

    @Override
    public LogAccessor logger() {
        return own.logger();
    }
}
