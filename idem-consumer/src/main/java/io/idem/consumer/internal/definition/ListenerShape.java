package io.idem.consumer.internal.definition;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.internal.method.AnnotatedMethods;
import io.idem.internal.method.Reachability;
import io.idem.internal.method.Refusals;
import io.idem.internal.method.StartRefusal;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Start-up check of classes with {@link IdempotentListener} methods. */
public final class ListenerShape {

    /** Named by text, since the transports may be absent. */
    private static final Set<String> LISTENER_ANNOTATIONS = Set.of(
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.amqp.rabbit.annotation.RabbitHandler",
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.kafka.annotation.KafkaHandler");

    private static final Set<String> HANDLER_ANNOTATIONS = Set.of(
            "org.springframework.amqp.rabbit.annotation.RabbitHandler",
            "org.springframework.kafka.annotation.KafkaHandler");

    private static final Refusals REFUSALS = ListenerShape::refused;

    private static final String AMQP_LISTENER = "org.springframework.amqp.client.annotation.AmqpListener";

    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

    private static final String KOTLIN_FLOW = "kotlinx.coroutines.flow.Flow";

    private static final String REACTIVE_STREAMS_PUBLISHER = "org.reactivestreams.Publisher";

    private ListenerShape() {}

    /**
     * Returns the idempotent listener methods of a class, its parents and interfaces. A {@code @Bean} method is none:
     * its annotation is about the function that it makes.
     */
    public static Set<Method> methods(Class<?> type) {
        return AnnotatedMethods.of(
                type, IdempotentListener.class, method -> !AnnotatedElementUtils.hasAnnotation(method, Bean.class));
    }

    /**
     * Returns the handler methods of a class that has idempotent listener methods, idempotent or not: its container
     * hands messages to all of them.
     */
    public static Set<Method> handlers(Class<?> type) {
        return methods(type).isEmpty()
                ? Set.of()
                : MethodIntrospector.selectMethods(type, (ReflectionUtils.MethodFilter) ListenerShape::isHandler);
    }

    /** Returns whether an idempotent listener method, or one of those of a class, asks for an inbox. */
    public static boolean asksForInbox(AnnotatedElement listener) {
        return listener instanceof Class<?> type
                ? methods(type).stream().anyMatch(ListenerShape::asksForInbox)
                : Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(listener, IdempotentListener.class))
                        .filter(IdempotentListener::inbox)
                        .isPresent();
    }

    /**
     * Checks a class.
     *
     * @throws ListenerConfigurationException for the first mistake found
     */
    public static void check(Class<?> type) {
        for (Method method : methods(type)) {
            checkReachable(type, method);
            StartRefusal refusal = REFUSALS.of(method);
            checkListener(method, refusal);
            checkNotAsync(type, method, refusal);
            checkReturnType(method, refusal);
        }
        Set<Method> handlers = handlers(type);
        handlers.forEach(method -> checkReachable(type, method));
        checkUniform(handlers);
    }

    /**
     * Checks that the proxy of a class can override a method.
     *
     * @throws ListenerConfigurationException if it cannot
     */
    public static void checkReachable(Class<?> type, Method method) {
        Reachability.check(type, method, REFUSALS);
    }

    private static void checkListener(Method method, StartRefusal refusal) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        refusal.refuseIf(
                annotations.isPresent(AMQP_LISTENER),
                "is an @AmqpListener, of any AMQP 1.0 broker, whose container idem does not guard",
                "Use @RabbitListener and the starter of RabbitMQ, spring-boot-starter-rabbitmq (before Spring Boot 4.2"
                        + " spring-boot-starter-amqp); or let the @AmqpListener call an @Idempotent method");
        refusal.refuseIf(
                LISTENER_ANNOTATIONS.stream().noneMatch(annotations::isPresent),
                "is not a listener that idem knows",
                "Put it beside @RabbitListener, @RabbitHandler, @KafkaListener or @KafkaHandler, for a function of Spring"
                        + " Cloud Stream on its @Bean method; or use @Idempotent, which throws a KeyInProgressException"
                        + " where its thread cannot wait (docs/policies.md)");
    }

    private static void checkNotAsync(Class<?> type, Method method, StartRefusal refusal) {
        refusal.refuseIf(
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC),
                "is @Async: its message would be acknowledged before its work is done",
                "Remove @Async");
        refusal.refuseIf(
                MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC),
                "is @Async by its class " + type.getName()
                        + ", a parent or an interface of it: its message would be acknowledged before its work is done",
                "Remove @Async from the class, or put it on those methods only that are no listeners");
    }

    private static void checkReturnType(Method method, StartRefusal refusal) {
        Class<?> type = method.getReturnType();
        refusal.refuseIf(
                type.isPrimitive() && type != void.class,
                "returns the primitive " + type + ", but a message that is deferred has no result",
                "Return void or a wrapper type");
        refusal.refuseIf(
                StageForm.of(method).isEmpty() && isAsynchronous(type),
                "returns " + type.getSimpleName() + ", for whose end no listener container waits",
                "Return a CompletableFuture or a Mono, or do the work before the method returns");
    }

    private static boolean isAsynchronous(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || type.getName().equals(KOTLIN_FLOW)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(one -> one.getName().equals(REACTIVE_STREAMS_PUBLISHER));
    }

    /**
     * Requires that all handler methods of a class end alike, since the container settles them alike: asynchronously,
     * if one of them is asynchronous.
     */
    private static void checkUniform(Set<Method> handlers) {
        boolean anyAsync =
                handlers.stream().anyMatch(method -> StageForm.of(method).isPresent());
        handlers.forEach(method -> REFUSALS.of(method)
                .refuseIf(
                        anyAsync && StageForm.of(method).isEmpty(),
                        "shares its container with handler methods whose work ends after their return, and would never be"
                                + " acknowledged",
                        "Let all handler methods of the class return a CompletableFuture or a Mono, or none"));
    }

    /** Returns whether a method is one of several that a listener on their class chooses from. */
    public static boolean isHandler(Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return HANDLER_ANNOTATIONS.stream().anyMatch(annotations::isPresent);
    }

    private static ListenerConfigurationException refused(Method method, String problem, String action) {
        return new ListenerConfigurationException(name(method) + " " + problem, action);
    }

    private static String name(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, IdempotentListener.class)
                ? ListenerConfigurationException.describe(method)
                : "Handler method " + method.getDeclaringClass().getSimpleName() + "." + method.getName()
                        + " beside an @IdempotentListener";
    }
}
