package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.lang.reflect.Method;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ResolvableType;

/** Fills in the contexts and keys that a batch listener takes as parameters of type {@code List}. */
public record BatchArguments(Method method, MethodInvocation invocation, List<@Nullable IdempotencyContext> contexts) {

    public static boolean isSupported(ResolvableType parameter) {
        return isListOf(parameter, IdempotencyContext.class) || isListOf(parameter, IdempotencyKey.class);
    }

    private static boolean isListOf(ResolvableType parameter, Class<?> element) {
        return parameter.resolve() == List.class && parameter.getGeneric(0).resolve() == element;
    }

    @Nullable Object proceed() throws Throwable {
        Object[] arguments = invocation.getArguments().clone();
        for (int i = 0; i < arguments.length; i++) {
            ResolvableType parameter = ResolvableType.forMethodParameter(method, i);
            if (isListOf(parameter, IdempotencyContext.class)) {
                arguments[i] = contexts;
            } else if (isListOf(parameter, IdempotencyKey.class)) {
                arguments[i] = BoundContexts.keys(contexts);
            }
        }
        ((ProxyMethodInvocation) invocation).setArguments(arguments);
        return invocation.proceed();
    }
}
