package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.internal.kafka.message.PartitionPause;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ContainerProperties.EOSMode;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Decorates a transactional container's own processor. Records in progress are redelivered without limit, in their
 * order, and are never counted and never recovered; all other records go to the container's own processor.
 */
final class InProgressAfterRollbackProcessor<K, V> implements AfterRollbackProcessor<K, V> {

    private final AfterRollbackProcessor<K, V> own;
    private final DefaultAfterRollbackProcessor<K, V> redelivering;

    InProgressAfterRollbackProcessor(AfterRollbackProcessor<K, V> own, PartitionPause pause) {
        this.own = own;
        // The pause comes with each exception; the interval only means "not at once, and without limit".
        this.redelivering = new DefaultAfterRollbackProcessor<>(
                null, new FixedBackOff(1, FixedBackOff.UNLIMITED_ATTEMPTS), pause, null, false);
        // Every cause counts as retryable: a record in progress has not failed.
        redelivering.setClassifications(Map.of(), true);
    }

    @Override
    public void process(
            List<ConsumerRecord<K, V>> records,
            Consumer<K, V> consumer,
            MessageListenerContainer container,
            Exception thrown,
            boolean recoverable,
            EOSMode mode) {
        AfterRollbackProcessor<K, V> responsible = KeyInProgressException.in(thrown) == null ? own : redelivering;
        responsible.process(records, consumer, container, thrown, recoverable, mode);
    }

    @Override
    public void clearThreadState() {
        redelivering.clearThreadState();
        own.clearThreadState();
    }

    @Override
    public boolean isProcessInTransaction() {
        return own.isProcessInTransaction();
    }
}
