package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.message.IdempotentKafkaEndpoint;
import io.idem.consumer.internal.kafka.message.KafkaFailureObserver;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Gives every container that a registry makes for an {@link io.idem.consumer.IdempotentListener} its delivery hook,
 * whatever factory is passed and whenever the endpoint is registered. Before the registry starts its containers, the
 * hook is installed again where it was removed.
 */
record KafkaEndpointRegistrations(Supplier<KafkaDeliveryHooks> hooks) implements MethodInterceptor {

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        switch (invocation.getMethod().getName()) {
            case "registerListenerContainer" -> hookWhatIsMade(invocation);
            case "start" -> hooks.get().installAgain();
            default -> {}
        }
        Object result = invocation.proceed();
        if (invocation.getMethod().getName().equals("unregisterListenerContainer")
                && result instanceof MessageListenerContainer container) {
            hooks.get().forget(container);
        }
        return result;
    }

    private void hookWhatIsMade(MethodInvocation invocation) {
        Object[] arguments = invocation.getArguments();
        if (arguments.length > 1 && arguments[1] instanceof KafkaListenerContainerFactory<?> factory) {
            Object[] hooked = arguments.clone();
            hooked[1] = new KafkaHookingFactory(factory, hooks);
            ((ProxyMethodInvocation) invocation).setArguments(hooked);
        }
    }

    /**
     * Makes containers by the application's own factory. In that of an idempotent endpoint the delivery hook is
     * installed twice: as the last post-processor, so that retry topics are put around it, and when the container is
     * finished, to undo later changes by its factory.
     */
    private record KafkaHookingFactory(KafkaListenerContainerFactory<?> own, Supplier<KafkaDeliveryHooks> hooks)
            implements KafkaListenerContainerFactory<MessageListenerContainer> {

        @Override
        public MessageListenerContainer createListenerContainer(KafkaListenerEndpoint endpoint) {
            Optional<IdempotentKafkaEndpoint> idempotent = IdempotentKafkaEndpoint.of(endpoint);
            if (idempotent.isEmpty() || !(endpoint instanceof MethodKafkaListenerEndpoint<?, ?> methods)) {
                return own.createListenerContainer(endpoint);
            }
            KafkaFailureObserver.watchErrorHandler(methods);
            methods.setContainerPostProcessor(afterThatOf(methods, idempotent.get()));
            MessageListenerContainer container = own.createListenerContainer(endpoint);
            hooks.get().install(idempotent.get(), container);
            hooks.get().check(container);
            hooks.get().prove(idempotent.get(), container);
            return container;
        }

        private ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> afterThatOf(
                MethodKafkaListenerEndpoint<?, ?> endpoint, IdempotentKafkaEndpoint idempotent) {
            @SuppressWarnings("unchecked")
            @Nullable ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> users =
                    (ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>>)
                            endpoint.getContainerPostProcessor();
            return container -> {
                if (users != null) {
                    users.postProcess(container);
                }
                hooks.get().install(idempotent, container);
            };
        }

        @Override
        public MessageListenerContainer createContainer(TopicPartitionOffset... partitions) {
            return own.createContainer(partitions);
        }

        @Override
        public MessageListenerContainer createContainer(String... topics) {
            return own.createContainer(topics);
        }

        @Override
        public MessageListenerContainer createContainer(Pattern topics) {
            return own.createContainer(topics);
        }
    }
}
