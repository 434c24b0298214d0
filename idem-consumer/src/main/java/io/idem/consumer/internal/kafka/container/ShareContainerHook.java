package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.IdempotentKafkaEndpoint;
import io.idem.consumer.internal.kafka.share.SharePauses;
import io.idem.consumer.internal.kafka.share.ShareRecordListener;
import java.util.List;
import java.util.Objects;
import org.springframework.aop.Advisor;
import org.springframework.kafka.listener.AcknowledgingShareConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.util.function.SingletonSupplier;

/** Puts the delivery hook into the container of a share group's listener, or refuses it. */
record ShareContainerHook(
        IdempotentKafkaEndpoint endpoint,
        ShareKafkaMessageListenerContainer<?, ?> container,
        KafkaDeliveryHooks hooks) {

    void install() {
        ContainerProperties properties = container.getContainerProperties();
        List<Advisor> advisors = AdvisedListener.takeAdvisors(properties);
        if (properties.getMessageListener() instanceof ShareRecordListener<?, ?> installed) {
            installed.listener().advise(advisors);
        } else {
            check();
            hooks.checkSources(endpoint, properties, properties.getGroupId(), "");
            install(properties).advise(advisors);
        }
    }

    private AdvisedListener<?> install(ContainerProperties properties) {
        boolean listenerAcknowledges = properties.getShareAckMode() == ShareAckMode.MANUAL;
        properties.setShareAckMode(ShareAckMode.MANUAL);
        @SuppressWarnings("unchecked")
        AcknowledgingShareConsumerAwareMessageListener<Object, Object> own =
                (AcknowledgingShareConsumerAwareMessageListener<Object, Object>)
                        Objects.requireNonNull(properties.getMessageListener());
        AdvisedListener<AcknowledgingShareConsumerAwareMessageListener<Object, Object>> listened =
                new AdvisedListener<>(own);
        properties.setMessageListener(new ShareRecordListener<>(
                listened,
                listenerAcknowledges,
                SingletonSupplier.of(() -> hooks.settler(endpoint, container)),
                new SharePauses(),
                hooks.stop(container),
                () -> !container.isRunning()));
        return listened;
    }

    private void check() {
        refuse(
                container.getContainerProperties().getShareAckMode() == ShareAckMode.IMPLICIT,
                "acknowledges implicitly: the broker takes every record as done whatever becomes of it",
                "Use ShareAckMode.EXPLICIT or MANUAL");
        refuse(
                container.getContainerProperties().getMessageListener() instanceof AsyncRepliesAware aware
                        && aware.isAsyncReplies(),
                "returns an asynchronous result, but share groups acknowledge when the method returns",
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
                    endpoint + " (share group of Kafka listener \"" + container.getListenerId() + "\") " + problem,
                    action);
        }
    }
}
