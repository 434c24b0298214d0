package io.idem.consumer.internal.rabbit.container;

import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Gives every container that a registry makes for an {@link io.idem.consumer.IdempotentListener} its delivery hook,
 * whatever factory is passed and whenever the endpoint is registered. The factory runs first: the hook sees a container
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
            Optional<IdempotentRabbitEndpoint> idempotent = IdempotentRabbitEndpoint.of(endpoint);
            if (idempotent.isPresent()) {
                Object[] hooked = arguments.clone();
                hooked[1] = new RabbitHookingFactory(idempotent.get(), factory, parts);
                ((ProxyMethodInvocation) invocation).setArguments(hooked);
            }
        }
        return invocation.proceed();
    }
}
