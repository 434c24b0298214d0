package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.kafka.batch.IdempotentBatchListener;
import io.idem.consumer.internal.kafka.message.ConsumerConfigs;
import io.idem.consumer.internal.kafka.message.ListenerLayers;
import java.util.stream.Stream;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.transaction.KafkaAwareTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Refuses containers whose acknowledgement could lose a message or that cannot be hooked. */
record ContainerCheck(String listener, AbstractMessageListenerContainer<?, ?> container) {

    /** Checks the settings that are known when the container has been made. */
    void check() {
        ContainerProperties properties = container.getContainerProperties();
        refuse(
                ConsumerConfigs.of(container).autoCommit(),
                "has enable.auto.commit=true: offsets would be committed before the work is recorded",
                "Set spring.kafka.consumer.enable-auto-commit=false, or remove the setting");
        boolean isAsync = isAsync();
        refuse(
                properties.isAsyncAcks() && !isAsync,
                "acknowledges by itself whenever it likes (asyncAcks), so that the end of its work is not known",
                "Leave asyncAcks off and return a CompletableFuture that ends with the work");
        CommonErrorHandler handler = container.getCommonErrorHandler();
        refuse(
                isAsync && handler != null && !handler.seeksAfterHandling(),
                "ends its work after its return, but its error handler keeps failed records in memory"
                        + " (seekAfterError=false), where one of two that fail together is lost",
                "Leave seekAfterError of the error handler on");
        refuse(
                isAsync && handler != null && !handler.isAckAfterHandle(),
                "ends its work after its return, but its error handler leaves recovered records unacknowledged"
                        + " (ackAfterHandle=false), for which its container would wait for ever",
                "Leave ackAfterHandle of the error handler on");
        checkTransactions(properties, isAsync);
    }

    /** Returns whether the work of its listener ends after its return, so that it commits out of order. */
    boolean isAsync() {
        return layers().anyMatch(layer -> layer instanceof AsyncRepliesAware aware && aware.isAsyncReplies());
    }

    /** Returns whether its listener acknowledges, rather than the container or the listener's adapter. */
    boolean acknowledgesByHand() {
        AckMode mode = container.getContainerProperties().getAckMode();
        return (mode == AckMode.MANUAL || mode == AckMode.MANUAL_IMMEDIATE) && !isAsync();
    }

    /**
     * Returns whether its listener may acknowledge single records after its return: not within a transaction, which
     * ends before.
     */
    boolean acknowledgesOpenRecords() {
        return acknowledgesByHand()
                && !batch()
                && container.getContainerProperties().getKafkaAwareTransactionManager() == null;
    }

    private Stream<Object> layers() {
        return ListenerLayers.of(container.getContainerProperties().getMessageListener());
    }

    @SuppressWarnings("removal")
    private void checkTransactions(ContainerProperties properties, boolean isAsync) {
        KafkaAwareTransactionManager<?, ?> kafka = properties.getKafkaAwareTransactionManager();
        refuse(
                kafka == null && properties.getTransactionManager() != null,
                "has a transaction manager in its container that is not Kafka's: offsets may be committed before the"
                        + " transaction",
                "Remove the transaction manager from the container factory and put @Transactional on the method");
        refuse(
                kafka != null && !(kafka instanceof ConfigurableTransactionManager),
                "has a transaction manager in its container that does not announce its commits",
                "Use a KafkaTransactionManager");
        refuse(
                kafka != null && isAsync,
                "ends its work after its return, when the transaction of its container has ended",
                "Remove the transaction manager from the container factory (Spring Boot sets it with"
                        + " spring.kafka.producer.transaction-id-prefix), or do the work before the method returns");
        refuse(
                kafka != null && batch(),
                "takes batches inside transactions of its container",
                "Remove the transaction manager from the container factory, or take single records");
    }

    /**
     * Checks that the listener's inbox does not meet its container's own transactions.
     *
     * @param inbox whether the listener asks for it
     * @param always whether every listener runs in it, because it is the store
     */
    void checkInbox(boolean inbox, boolean always) {
        refuse(
                always && container.getContainerProperties().getKafkaAwareTransactionManager() != null,
                "is delivered to inside a transaction of its container, and with idem.store=inbox idem opens the transaction"
                        + " of its work",
                "Remove the transaction manager from the container factory (Spring Boot sets it with"
                        + " spring.kafka.producer.transaction-id-prefix), or choose another idem.store");
        refuse(
                inbox && container.getContainerProperties().getKafkaAwareTransactionManager() != null,
                "asks for an inbox, which opens a transaction of its own, inside a transaction of its container",
                "Remove inbox = true, or remove the transaction manager from the container factory (Spring Boot sets it with"
                        + " spring.kafka.producer.transaction-id-prefix)");
    }

    boolean batch() {
        return container.getContainerProperties().getMessageListener() instanceof BatchMessageListener;
    }

    /** Returns whether the delivery hook stands before its listener. */
    boolean isHooked() {
        return layers().anyMatch(
                        layer -> layer instanceof IdempotentRecordListener || layer instanceof IdempotentBatchListener);
    }

    /** Refuses what is broken. */
    void refuse(boolean broken, String problem, String action) {
        if (broken) {
            throw new ListenerConfigurationException(
                    "@IdempotentListener " + listener + " (Kafka listener \"" + container.getListenerId() + "\") "
                            + problem,
                    action);
        }
    }
}
