package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.definition.ListenerShape;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.config.MultiMethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.util.ReflectionUtils;

/**
 * The target of a container's deliveries, with at least one {@link IdempotentListener} method.
 *
 * @param bean may be in proxies
 * @param element the method, or the class if the container chooses from several of its methods
 */
public record IdempotentKafkaEndpoint(Object bean, AnnotatedElement element) {

    private static final String LISTENER_METHOD = "onMessage";

    /** Returns the endpoint as an idempotent one; empty for every other endpoint. */
    public static Optional<IdempotentKafkaEndpoint> of(KafkaListenerEndpoint endpoint) {
        if (!(endpoint instanceof MethodKafkaListenerEndpoint<?, ?> methods)) {
            return Optional.empty();
        }
        Object bean = methods.getBean();
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        if (endpoint instanceof MultiMethodKafkaListenerEndpoint<?, ?>) {
            return ListenerShape.methods(type).isEmpty()
                    ? Optional.empty()
                    : Optional.of(new IdempotentKafkaEndpoint(bean, type));
        }
        return Optional.of(AopUtils.getMostSpecificMethod(methods.getMethod(), type))
                .filter(IdempotentKafkaEndpoint::isIdempotent)
                .map(method -> new IdempotentKafkaEndpoint(bean, method));
    }

    /** Returns a bean that is a message listener itself, by an idempotent method; empty for every other listener. */
    public static Optional<IdempotentKafkaEndpoint> of(@Nullable Object listener) {
        @Nullable Object current = listener;
        while (!AopUtils.isAopProxy(current) && current instanceof DelegatingMessageListener<?> delegating) {
            current = delegating.getDelegate();
        }
        if (!(current instanceof GenericMessageListener<?> bean)) {
            return Optional.empty();
        }
        return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(AopProxyUtils.ultimateTargetClass(bean)))
                .filter(method -> method.getName().equals(LISTENER_METHOD))
                .filter(IdempotentKafkaEndpoint::isIdempotent)
                .findFirst()
                .map(method -> new IdempotentKafkaEndpoint(bean, method));
    }

    private static boolean isIdempotent(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, IdempotentListener.class);
    }

    public String name() {
        return element instanceof Method method
                ? method.getDeclaringClass().getSimpleName() + "." + method.getName()
                : AopProxyUtils.ultimateTargetClass(bean).getSimpleName();
    }

    @Override
    public String toString() {
        return "@IdempotentListener " + name();
    }
}
