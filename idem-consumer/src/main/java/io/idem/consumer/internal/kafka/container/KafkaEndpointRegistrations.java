package io.idem.consumer.internal.kafka.container;

import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.listener.MessageListenerContainer;

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
}
