package io.idem.consumer.kafka;

import io.idem.consumer.ListenerConfigurationException;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.kafka.listener.AcknowledgingShareConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;

/** Puts the delivery hook into the container of a share group's listener, or refuses it. */
record ShareContainerHook(
        String listener,
        ShareKafkaMessageListenerContainer<Object, Object> container,
        Supplier<RecordSettlement> settlement) {

    void install() {
        check();
        ContainerProperties properties = container.getContainerProperties();
        boolean listenerAcknowledges = properties.getShareAckMode() == ShareAckMode.MANUAL;
        properties.setShareAckMode(ShareAckMode.MANUAL);
        @SuppressWarnings("unchecked")
        AcknowledgingShareConsumerAwareMessageListener<Object, Object> own =
                (AcknowledgingShareConsumerAwareMessageListener<Object, Object>)
                        Objects.requireNonNull(properties.getMessageListener());
        properties.setMessageListener(new ShareRecordListener<>(
                own, listenerAcknowledges, settlement, new ShareRests(), () -> !container.isRunning()));
    }

    private void check() {
        refuse(
                container.getContainerProperties().getShareAckMode() == ShareAckMode.IMPLICIT,
                "acknowledges implicitly: the broker takes every record as done whatever becomes of it",
                "Use ShareAckMode.EXPLICIT or MANUAL");
        refuse(
                container.getContainerProperties().getMessageListener() instanceof AsyncRepliesAware aware
                        && aware.isAsyncReplies(),
                "returns its result later, but share groups acknowledge when the method returns",
                "Let the method return void or an object");
        refuse(
                !(container.getContainerProperties().getMessageListener()
                        instanceof AcknowledgingShareConsumerAwareMessageListener),
                "has a listener of another kind than Spring makes for share groups",
                "Leave the message listener of the container to @KafkaListener");
    }

    private void refuse(boolean broken, String problem, String action) {
        if (broken) {
            throw new ListenerConfigurationException(
                    "@IdempotentListener " + listener + " (share group of Kafka listener \"" + container.getListenerId()
                            + "\") " + problem,
                    action,
                    null);
        }
    }
}
