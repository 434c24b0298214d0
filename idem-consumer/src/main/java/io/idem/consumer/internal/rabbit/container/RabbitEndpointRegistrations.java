package io.idem.consumer.internal.rabbit.container;

import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Gives every container that a registry makes the delivery hook of an {@link io.idem.consumer.IdempotentListener}, or
 * that of another listener, whatever factory is passed and whenever the endpoint is registered. The factory runs first: the hook sees a container
 * as the factory, its subclasses and its customizers have left it.
 */
record RabbitEndpointRegistrations(HookParts parts) implements MethodInterceptor {

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        if (invocation.getMethod().getName().equals("registerListenerContainer")
                && arguments.length > 1
                && arguments[0] instanceof RabbitListenerEndpoint endpoint
                && arguments[1] instanceof RabbitListenerContainerFactory<?> factory) {
            if (endpoint instanceof MethodRabbitListenerEndpoint methods) {
                IdempotentRabbitEndpoint.watchErrorHandler(methods);
            }
            Optional<IdempotentRabbitEndpoint> idempotent = IdempotentRabbitEndpoint.of(endpoint);
            Object[] hooked = arguments.clone();
            hooked[1] = idempotent.isPresent()
                    ? new RabbitHookingFactory(idempotent.get(), factory, parts)
                    : (RabbitListenerContainerFactory<MessageListenerContainer>)
                            unused -> PlainListenerHook.install(factory.createListenerContainer(endpoint), parts);
            ((ProxyMethodInvocation) invocation).setArguments(hooked);
        }
        return invocation.proceed();
    }

    /**
     * Makes the container of one idempotent endpoint by the application's own factory, and installs the delivery hook
     * in it.
     */
    private record RabbitHookingFactory(
            IdempotentRabbitEndpoint endpoint, RabbitListenerContainerFactory<?> own, HookParts parts)
            implements RabbitListenerContainerFactory<MessageListenerContainer> {

        @Override
        public MessageListenerContainer createListenerContainer(@Nullable RabbitListenerEndpoint unused) {
            MessageListenerContainer container = own.createListenerContainer(endpoint.endpoint());
            if (AmqpOneContainers.include(container)) {
                AmqpOneContainers.attach(endpoint, container, parts);
            } else if (container instanceof AbstractMessageListenerContainer supported) {
                new HookInstallation(endpoint, supported, parts).install();
            } else {
                throw endpoint.refused(
                        "is listened to by a " + container.getClass().getSimpleName()
                                + ", which idem cannot hook into: only containers that can hand a message back to be"
                                + " redelivered later are supported, those for streams are not",
                        "Use a SimpleRabbitListenerContainerFactory, a DirectRabbitListenerContainerFactory or a"
                                + " RabbitAmqpListenerContainerFactory");
            }
            return container;
        }
    }
}
