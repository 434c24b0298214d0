package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.springframework.amqp.core.AmqpAcknowledgment;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

/**
 * Finds the type of a message's converted body, for listener methods that take an {@link IdempotencyContext} or
 * {@link IdempotencyKey} beside it: spring-rabbit 4.1.1 takes those for a second body and gives up, so that its
 * converters would see no more than the type that the producer names.
 */
public final class PayloadType {

    private static final Set<Class<?>> OWN = Set.of(IdempotencyContext.class, IdempotencyKey.class);

    /** Parameter types that spring-rabbit hands over without any conversion. */
    private static final Set<Class<?>> PROVIDED = Set.of(
            Message.class, MessageProperties.class, AmqpAcknowledgment.class, Channel.class, MessageHeaders.class);

    private static final String KOTLIN_CONTINUATION = "kotlin.coroutines.Continuation";

    private PayloadType() {}

    /**
     * Returns the type; empty where spring-rabbit finds it out by itself, and where more than one parameter may be the
     * body.
     */
    public static Optional<Type> of(Method method) {
        List<MethodParameter> all = IntStream.range(0, method.getParameterCount())
                .mapToObj(index -> new MethodParameter(method, index))
                .toList();
        List<Type> bodies = all.stream()
                .filter(PayloadType::mayBeBody)
                .map(MethodParameter::getGenericParameterType)
                .toList();
        boolean asksForOwn = all.stream().map(MethodParameter::getParameterType).anyMatch(OWN::contains);
        return asksForOwn && bodies.size() == 1 ? content(bodies.get(0)) : Optional.empty();
    }

    /** Returns the type of the messages of a batch, beside a list of contexts or keys; empty likewise. */
    public static Optional<Type> ofElements(Method method) {
        List<ResolvableType> bodies = new ArrayList<>();
        boolean asksForOwn = false;
        for (int i = 0; i < method.getParameterCount(); i++) {
            ResolvableType parameter = ResolvableType.forMethodParameter(method, i);
            boolean own = isOwnList(parameter);
            asksForOwn |= own;
            if (!own && mayBeBody(new MethodParameter(method, i))) {
                bodies.add(parameter);
            }
        }
        return asksForOwn && bodies.size() == 1 && bodies.get(0).resolve() == List.class
                ? content(bodies.get(0).getGeneric(0).getType())
                : Optional.empty();
    }

    private static boolean isOwnList(ResolvableType parameter) {
        Class<?> element = parameter.getGeneric(0).resolve();
        return parameter.resolve() == List.class && element != null && OWN.contains(element);
    }

    private static boolean mayBeBody(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return !OWN.contains(type)
                && !PROVIDED.contains(type)
                && !type.getName().equals(KOTLIN_CONTINUATION)
                && !parameter.hasParameterAnnotation(Header.class)
                && !parameter.hasParameterAnnotation(Headers.class);
    }

    /** Returns the type of the body inside of its envelope. */
    private static Optional<Type> content(Type parameter) {
        Class<?> message = org.springframework.messaging.Message.class;
        if (parameter instanceof ParameterizedType envelope
                && (envelope.getRawType() == message || envelope.getRawType() == Optional.class)) {
            Type content = envelope.getActualTypeArguments()[0];
            return content instanceof WildcardType ? Optional.empty() : Optional.of(content);
        }
        return parameter == message ? Optional.empty() : Optional.of(parameter);
    }
}
