package io.idem.consumer.rabbit;

import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.aop.framework.ProxyFactory;

/**
 * A container factory of the application's own making, which has no advice chain to put a delivery hook into: other listeners
 * get their containers as ever, idempotent ones are refused rather than left unguarded.
 */
record ForeignFactory(RabbitListenerContainerFactory<?> factory) implements MethodInterceptor {

    /** The same factory, for everybody but idempotent listeners. */
    Object refusing() {
        ProxyFactory proxy = new ProxyFactory(factory);
        proxy.setProxyTargetClass(ExtensibleType.is(factory.getClass()));
        proxy.addAdvice(this);
        return proxy.getProxy(factory.getClass().getClassLoader());
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        if (arguments.length == 1 && arguments[0] instanceof RabbitListenerEndpoint endpoint) {
            Optional<IdempotentEndpoint> idempotent = IdempotentEndpoint.of(endpoint);
            if (idempotent.isPresent()) {
                throw idempotent
                        .get()
                        .refused(
                                "is listened to by a container of "
                                        + factory.getClass().getName() + ", which idem cannot hook into",
                                "Use a SimpleRabbitListenerContainerFactory, a DirectRabbitListenerContainerFactory or a"
                                        + " RabbitAmqpListenerContainerFactory");
            }
        }
        return invocation.proceed();
    }
}
