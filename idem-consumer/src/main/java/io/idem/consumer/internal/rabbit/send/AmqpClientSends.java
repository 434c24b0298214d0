package io.idem.consumer.internal.rabbit.send;

import io.idem.RefusedWorkException;
import io.idem.consumer.internal.batch.BoundContexts;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/**
 * Refuses what idempotent work publishes through an {@code AmqpClient}, before it leaves, also through a specification
 * that the client handed out earlier. Knows these types by name, since their library may be absent.
 */
public final class AmqpClientSends implements MethodInterceptor {

    public static final String CLIENT = "org.springframework.amqp.client.AmqpClient";
    public static final String SPECIFICATION = CLIENT + "$SendSpec";

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return call(invocation.getThis(), invocation.getMethod(), invocation.getArguments());
    }

    private static @Nullable Object call(@Nullable Object of, Method method, Object[] arguments) throws Throwable {
        if (method.getName().startsWith("send") && BoundContexts.isBound()) {
            throw new RefusedWorkException(
                    "Idempotent work published a message through an AmqpClient, which would give it"
                            + " no idempotency key, and for which the work would not wait. Publish it through a RabbitTemplate"
                            + " bean, or outside of the idempotent work");
        }
        Object result = AopUtils.invokeJoinpointUsingReflection(of, method, arguments);
        Class<?> type = method.getReturnType();
        return type.getName().startsWith(SPECIFICATION)
                ? Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, (proxy, next, given) -> call(result, next, given))
                : result;
    }
}
