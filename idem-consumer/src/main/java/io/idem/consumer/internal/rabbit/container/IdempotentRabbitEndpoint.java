package io.idem.consumer.internal.rabbit.container;

import io.idem.Scope;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.definition.ListenerSources;
import io.idem.consumer.internal.rabbit.message.DeadLetters;
import io.idem.consumer.internal.rabbit.message.PayloadType;
import io.idem.consumer.internal.rabbit.message.RabbitFailureObserver;
import io.idem.consumer.internal.rabbit.send.RabbitDeadLetterWriter;
import io.idem.internal.method.HiddenMembers;
import io.idem.internal.method.StartRefusal;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** An endpoint with at least one {@link IdempotentListener} method. */
record IdempotentRabbitEndpoint(MethodRabbitListenerEndpoint endpoint, Method method) implements StartRefusal {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentRabbitEndpoint.class);

    /** Returns the endpoint as an idempotent one; empty for every other endpoint. */
    public static Optional<IdempotentRabbitEndpoint> of(RabbitListenerEndpoint endpoint) {
        return endpoint instanceof MethodRabbitListenerEndpoint methods
                ? idempotentMethod(methods).map(method -> new IdempotentRabbitEndpoint(methods, method))
                : Optional.empty();
    }

    /**
     * Returns a container bean whose listener adapter calls an idempotent method of a bean; empty for every other
     * container.
     *
     * @param container that has its listener, but is not initialized
     */
    public static Optional<IdempotentRabbitEndpoint> of(AbstractMessageListenerContainer container) {
        if (!(container.getMessageListener() instanceof MessageListenerAdapter adapter)) {
            return Optional.empty();
        }
        Object bean = Objects.requireNonNull(HiddenMembers.ask(adapter, "getDelegate"));
        Object name = HiddenMembers.ask(adapter, "getDefaultListenerMethod");
        return ListenerShape.methods(AopUtils.getTargetClass(bean)).stream()
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .map(method -> new IdempotentRabbitEndpoint(endpoint(bean, method), method));
    }

    /** Returns a listener that is no annotated method as an endpoint. */
    static IdempotentRabbitEndpoint of(DefinedListener listener, Method named) {
        return new IdempotentRabbitEndpoint(endpoint(listener, named), named);
    }

    private static MethodRabbitListenerEndpoint endpoint(Object bean, Method method) {
        MethodRabbitListenerEndpoint endpoint = new MethodRabbitListenerEndpoint();
        endpoint.setBean(bean);
        endpoint.setMethod(method);
        return endpoint;
    }

    /**
     * Returns the idempotent method; an endpoint on a class, with several handler methods, names no method of its own.
     */
    private static Optional<Method> idempotentMethod(MethodRabbitListenerEndpoint endpoint) {
        Class<?> type = AopUtils.getTargetClass(endpoint.getBean());
        Method single = endpoint.getMethod();
        if (single == null) {
            return ListenerShape.methods(type).stream().findFirst();
        }
        return Optional.of(AopUtils.getMostSpecificMethod(single, type))
                .filter(method -> AnnotatedElementUtils.hasAnnotation(method, IdempotentListener.class));
    }

    /** Names of its queues, as far as it has some. */
    List<String> queues() {
        return List.copyOf(endpoint.getQueueNames());
    }

    /** Tells at start of messages that its listeners may lose as duplicates. */
    void checkSources(IdempotentListeners listeners, Object connection, List<String> queues) {
        AnnotatedElement element = isOnMethod() ? method : AopUtils.getTargetClass(bean());
        listeners.checkSources(
                bean(), element, new ListenerSources.Read(connection, queues, queues.size() > 1, queues, false));
    }

    /** Returns the object that it calls. */
    Object bean() {
        return endpoint.getBean();
    }

    /** Returns the scopes of the methods that it calls. */
    Set<Scope> scopes(IdempotentListeners listeners) {
        return methods().stream().map(one -> listeners.scope(bean(), one)).collect(Collectors.toSet());
    }

    /** Returns the idempotent methods that it calls. */
    Set<Method> methods() {
        return isOnMethod() ? Set.of(method) : ListenerShape.methods(AopUtils.getTargetClass(bean()));
    }

    /**
     * Notes failures that the listener adapter hands to the application's error handler, or with which it answers a
     * request. Before the container is created.
     */
    static void watchErrorHandler(MethodRabbitListenerEndpoint endpoint) {
        RabbitListenerErrorHandler own = (RabbitListenerErrorHandler) HiddenMembers.read(endpoint, "errorHandler");
        if (own != null || Boolean.TRUE.equals(HiddenMembers.read(endpoint, "returnExceptions"))) {
            endpoint.setErrorHandler(RabbitFailureObserver.before(own));
        }
    }

    /** Returns the scope to name where a delivery does not say for which of its methods it was. */
    Scope anyScope(IdempotentListeners listeners) {
        return scopes(listeners).iterator().next();
    }

    /** Returns whether it takes lists; known once its container exists. */
    boolean isBatch() {
        return Boolean.TRUE.equals(endpoint.getBatchListener());
    }

    /**
     * Returns the type of a message's converted body; empty where spring-rabbit finds it out by itself. A class with
     * several handlers has no single answer.
     */
    Optional<Type> payloadType() {
        return isOnMethod() ? PayloadType.of(method) : Optional.empty();
    }

    /** Returns whether it calls one method, rather than one of a class's. */
    boolean isOnMethod() {
        return endpoint.getMethod() != null;
    }

    /**
     * Returns the destination of its messages' dead letters.
     *
     * @param way the destination by connection, where idem publishes them
     * @throws ListenerConfigurationException if a connection that is needed does not confirm, or is not known
     */
    DeadLetters deadLetters(HookParts parts, Function<RabbitDeadLetterWriter, DeadLetters> way) {
        try {
            return parts.deadLetters().get().map(way).orElse(DeadLetters.LEFT_TO_THE_QUEUE);
        } catch (ListenerConfigurationException unconfirmed) {
            throw refused(
                    "has dead letters that could be lost (idem.consumer.rabbit.dead-letter.exchange is set): "
                            + unconfirmed.problem(),
                    unconfirmed.action());
        }
    }

    @Override
    public ListenerConfigurationException refused(String problem, String action) {
        return new ListenerConfigurationException(this + " " + problem, action);
    }

    void warn(String warning) {
        LOG.warn("{} {}", this, warning);
    }

    @Override
    public String toString() {
        return "@IdempotentListener " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
