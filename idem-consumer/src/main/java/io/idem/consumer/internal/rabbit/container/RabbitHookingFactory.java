package io.idem.consumer.internal.rabbit.container;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;

/** Makes the container of one idempotent endpoint by the application's own factory, and installs the delivery hook in it. */
record RabbitHookingFactory(IdempotentRabbitEndpoint endpoint, RabbitListenerContainerFactory<?> own, HookParts parts)
        implements RabbitListenerContainerFactory<MessageListenerContainer> {

    @Override
    public MessageListenerContainer createListenerContainer(@Nullable RabbitListenerEndpoint unused) {
        endpoint.watchErrorHandler();
        MessageListenerContainer container = own.createListenerContainer(endpoint.endpoint());
        if (AmqpOneContainers.include(container)) {
            AmqpOneContainers.attach(new AmqpOneHook(endpoint, parts), endpoint, container);
        } else if (container instanceof AbstractMessageListenerContainer supported) {
            new HookInstallation(endpoint, supported, parts).install();
        } else {
            throw endpoint.refused(
                    "is listened to by a " + container.getClass().getSimpleName()
                            + ", which idem cannot hook into: only containers that can give a message back to be redelivered"
                            + " later are supported, those for streams are not",
                    "Use a SimpleRabbitListenerContainerFactory, a DirectRabbitListenerContainerFactory or a"
                            + " RabbitAmqpListenerContainerFactory");
        }
        return container;
    }
}
