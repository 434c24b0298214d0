package io.idem.consumer.internal.call;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Fills in the context and the key that a listener method takes as parameters. The container resolves those parameters
 * before the engine decides, so they arrive empty.
 */
public record ContextArguments(Method method, MethodInvocation invocation, IdempotencyContext context) {

    public static boolean isSupported(Class<?> type) {
        return type == IdempotencyContext.class || type == IdempotencyKey.class;
    }

    @Nullable Object proceed() throws Throwable {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = invocation.getArguments().clone();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == IdempotencyContext.class) {
                arguments[i] = context;
            } else if (types[i] == IdempotencyKey.class) {
                arguments[i] = context.key();
            }
        }
        ((ProxyMethodInvocation) invocation).setArguments(arguments);
        return invocation.proceed();
    }
}
