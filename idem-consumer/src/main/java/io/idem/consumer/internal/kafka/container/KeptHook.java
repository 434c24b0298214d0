package io.idem.consumer.internal.kafka.container;

import java.util.Arrays;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * Keeps the delivery hook in a container whose owner sets the container's listener again, as an inbound channel adapter
 * does each time that it is initialized. A container puts its advices around each listener that is set; this one sends
 * what the container asks of that listener to the hook, which has the same listener behind it.
 */
record KeptHook(Object hook) implements MethodInterceptor {

    /** Keeps the listener that the container has now. */
    static void keep(ContainerProperties properties) {
        properties.setAdviceChain(new KeptHook(Objects.requireNonNull(properties.getMessageListener())));
    }

    static boolean isIn(ContainerProperties properties) {
        return Arrays.stream(properties.getAdviceChain()).anyMatch(KeptHook.class::isInstance);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (!invocation.getMethod().getDeclaringClass().isInstance(hook)) {
            return invocation.proceed();
        }
        return AopUtils.invokeJoinpointUsingReflection(hook, invocation.getMethod(), invocation.getArguments());
    }
}
