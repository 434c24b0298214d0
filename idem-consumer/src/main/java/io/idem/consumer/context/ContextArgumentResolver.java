package io.idem.consumer.context;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.batch.BatchArguments;
import io.idem.consumer.internal.call.ContextArguments;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * Lets listener methods take an {@link io.idem.IdempotencyContext} or {@link io.idem.IdempotencyKey} as parameters.
 * Resolves them to null; the deciding interceptor, which runs later and knows them, fills them in. They stay null in a
 * message that runs unguarded.
 */
public final class ContextArgumentResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return (ContextArguments.isSupported(parameter.getParameterType())
                        || BatchArguments.isSupported(ResolvableType.forMethodParameter(parameter)))
                && parameter.hasMethodAnnotation(IdempotentListener.class);
    }

    @Override
    public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
        return null;
    }
}
