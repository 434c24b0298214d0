package io.idem.cloudstream;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.rabbit.container.RabbitHookInstaller;
import io.idem.consumer.internal.rabbit.send.RabbitTemplateHook;
import io.idem.internal.method.HiddenMembers;
import java.lang.reflect.Method;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.core.BatchingRabbitTemplate;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.rabbit.RabbitMessageChannelBinder;
import org.springframework.integration.amqp.outbound.AmqpOutboundEndpoint;
import org.springframework.integration.core.MessageProducer;
import org.springframework.messaging.MessageHandler;

/** The binder of RabbitMQ. */
record RabbitBinder(RabbitHookInstaller hooks, RabbitTemplateHook templates) implements KnownBinder {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitBinder.class);

    @Override
    public String transport() {
        return "rabbit";
    }

    @Override
    public boolean isKindOf(Binder<?, ?, ?> binder) {
        return binder instanceof RabbitMessageChannelBinder;
    }

    @Override
    public void hook(Binder<?, ?, ?> binder, MessageProducer adapter, DefinedListener listener, Method named) {
        if (!(HiddenMembers.read(adapter, "messageListenerContainer")
                instanceof AbstractMessageListenerContainer container)) {
            throw new ListenerConfigurationException(
                    named,
                    "is delivered to by a container for streams, which cannot give back one message",
                    "Set container-type of its RabbitMQ binding to simple or direct");
        }
        if (container instanceof SimpleMessageListenerContainer simple && simple.isConsumerBatchEnabled()) {
            throw new ListenerConfigurationException(
                    named,
                    "is delivered to in batches, whose messages a function cannot settle one by one",
                    "Leave consumerBatchEnabled of its container off");
        }
        hooks.install(listener, named, container);
    }

    @Override
    public void propagate(MessageHandler producer, String destination) {
        RabbitTemplate template =
                producer instanceof AmqpOutboundEndpoint endpoint ? endpoint.getRabbitTemplate() : null;
        if (template == null || template instanceof BatchingRabbitTemplate) {
            LOG.warn(
                    "Destination \"{}\" is published to by a {}, which idem cannot configure: what it publishes gets no idempotency"
                            + " key, and idempotent work does not wait for it, so that a crash may lose it",
                    destination,
                    (template == null ? producer : template).getClass().getSimpleName());
            return;
        }
        templates.postProcessAfterInitialization(template, "binding to " + destination);
    }
}
