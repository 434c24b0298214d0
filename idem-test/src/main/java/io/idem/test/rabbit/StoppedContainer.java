package io.idem.test.rabbit;

import com.rabbitmq.client.Channel;
import io.idem.internal.method.HiddenMembers;
import io.idem.test.Delivered;
import io.idem.test.DeliveryEnd;
import java.lang.reflect.Method;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ContainerUtils;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.util.ReflectionUtils;

/**
 * A container as its own consumer threads see it. The methods that they call are open to subclasses only, and so are
 * called by reflection.
 */
record StoppedContainer(AbstractMessageListenerContainer container) {

    private static final Log LOG = LogFactory.getLog(StoppedContainer.class);

    Delivered deliver(String queue, Message message) {
        RecordedChannel channel = new RecordedChannel();
        Optional<RuntimeException> failure = failure(channel.channel(), copy(queue, message));
        Optional<DeliveryEnd> said = endsLate() && failure.isEmpty() ? Optional.of(channel.await()) : channel.said();
        DeliveryEnd end = said.orElseGet(() -> containersOwn(failure));
        return new Delivered(end, failure.map(Throwable.class::cast));
    }

    /** Delivers a message through the advice chain, which contains idem's own hook, and returns the failure. */
    private Optional<RuntimeException> failure(Channel channel, Message message) {
        Method invoke = HiddenMembers.method(container.getClass(), "invokeListener", Channel.class, Object.class);
        try {
            ReflectionUtils.invokeMethod(invoke, container, channel, message);
            return Optional.empty();
        } catch (RuntimeException failure) {
            return Optional.of(failure);
        }
    }

    /**
     * Returns how the container itself ends the delivery: it acknowledges a call that returned, unless the listener
     * acknowledges manually.
     */
    private DeliveryEnd containersOwn(Optional<RuntimeException> failure) {
        if (container.getAcknowledgeMode().isManual()) {
            return DeliveryEnd.REDELIVERED;
        }
        if (failure.isEmpty() || ContainerUtils.isImmediateAcknowledge(failure.get())) {
            return DeliveryEnd.ACKNOWLEDGED;
        }
        boolean byDefault = Boolean.TRUE.equals(HiddenMembers.ask(container, "isDefaultRequeueRejected"));
        return ContainerUtils.shouldRequeue(byDefault, failure.get(), LOG)
                ? DeliveryEnd.REDELIVERED
                : DeliveryEnd.DEAD_LETTERED;
    }

    private boolean endsLate() {
        Object listener = container.getMessageListener();
        return listener instanceof MessageListener known && known.isAsyncReplies();
    }

    private static Message copy(String queue, Message message) {
        Message copy = MessageBuilder.fromClonedMessage(message).build();
        MessageProperties properties = copy.getMessageProperties();
        properties.setConsumerQueue(queue);
        properties.setReceivedExchange("");
        properties.setReceivedRoutingKey(queue);
        properties.setDeliveryTag(RecordedChannel.DELIVERY_TAG);
        return copy;
    }
}
