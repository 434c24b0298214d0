package io.idem.internal.method;

import io.idem.Idempotent;
import io.idem.internal.value.ReadOnce;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods of a class that carry {@link Idempotent}: handlers of HTTP requests belong to idem-http, all others are guarded here, or
 * refused. Annotations of libraries that may be absent are named by text.
 */
final class MethodShape {

    private static final List<String> HANDLERS = List.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");

    private static final List<String> MESSAGE_LISTENERS = List.of(
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.amqp.rabbit.annotation.RabbitHandler",
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.kafka.annotation.KafkaHandler");

    private static final String TRANSACTIONAL_LISTENER =
            "org.springframework.transaction.event.TransactionalEventListener";

    private static final List<String> HTTP_ATTRIBUTES = List.of("required", "waitFor", "handOff");

    private static final List<String> LATER_IN_KOTLIN =
            List.of("kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Deferred", "kotlinx.coroutines.Job");

    /** Makes the exceptions for methods with the annotation. */
    static final Refusals REFUSALS = MethodConfigurationException::new;

    private static final String OUTSIDE =
            ", whose work begins or ends outside of the call, where its proxy cannot record it";

    private MethodShape() {}

    /** Returns the annotated methods of a class, its parents and interfaces that are no handlers of HTTP requests. */
    static Set<Method> methods(Class<?> type) {
        return annotated(type, method -> isGuarded(method, type));
    }

    /** Returns whether calls of a method of a class are guarded by this package. */
    static boolean isGuarded(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(method, Idempotent.class) && !isHandler(method, type);
    }

    /**
     * Checks a class.
     *
     * @throws MethodConfigurationException for the first mistake found
     */
    static void check(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
            return;
        }
        if (on(type).isPresent(Idempotent.class)
                && (!isClient(type) || handlers(type).isEmpty())) {
            checkClass(type);
        }
        if (!Libraries.HTTP) {
            annotated(type, method -> isController(type) && isHandler(method, type)).stream()
                    .findFirst()
                    .ifPresent(handler -> {
                        throw unprotected(MethodConfigurationException.describe(handler) + " is a handler");
                    });
        }
        methods(type).forEach(method -> check(type, method));
    }

    private static void checkClass(Class<?> type) {
        if (!isController(type)) {
            throw new MethodConfigurationException(
                    "@Idempotent is on class " + type.getName()
                            + ", and stands for all methods of a class only on controllers of HTTP requests",
                    "Put it on the methods, each with a scope and a key");
        }
        if (!Libraries.HTTP) {
            throw unprotected("@Idempotent " + type.getName() + " is a controller");
        }
        if (handlers(type).isEmpty()) {
            throw new MethodConfigurationException(
                    "@Idempotent is on class " + type.getName()
                            + ", and stands for its handlers of HTTP requests, of which it has none",
                    "Put it on the methods, each with a scope and a key, or protect their path by idem.http.routes");
        }
    }

    private static Set<Method> handlers(Class<?> type) {
        return MethodIntrospector.selectMethods(
                type, (ReflectionUtils.MethodFilter) method -> anyPresent(method, HANDLERS));
    }

    private static MethodConfigurationException unprotected(String what) {
        return new MethodConfigurationException(
                what + " of HTTP requests, and without idem-http nothing protects it",
                "Add idem-http-spring-boot-starter, or idem-webflux-spring-boot-starter");
    }

    private static void check(Class<?> type, Method method) {
        StartRefusal refusals = REFUSALS.of(method);
        refusals.refuseIf(
                anyPresent(method, MESSAGE_LISTENERS),
                "is a listener of messages, whose container would take a key in progress for a failure",
                "Use @IdempotentListener instead of @Idempotent");
        refusals.refuseIf(
                on(method).isPresent(Bean.class),
                "is a @Bean method, which each instance of the application calls once to make the bean",
                "Put @Idempotent on a method of the bean's class");
        Reachability.check(type, method, REFUSALS);
        MergedAnnotation<Idempotent> annotation = on(method).get(Idempotent.class);
        for (String attribute : HTTP_ATTRIBUTES) {
            refusals.refuseIf(
                    !annotation.hasDefaultValue(attribute),
                    "says " + attribute + ", which is about handlers of HTTP requests, and is none",
                    "Remove " + attribute);
        }
        checkReturnType(method, type, refusals);
    }

    private static void checkReturnType(Method method, Class<?> type, StartRefusal refusals) {
        Class<?> returned = returned(method, type).resolve(Object.class);
        boolean suspending = KotlinDetector.isSuspendingFunction(method);
        refusals.refuseIf(
                suspending || (isLater(returned) && !endsLater(method, type)),
                (suspending ? "is a suspending function" : "returns " + returned.getSimpleName()) + OUTSIDE,
                "Return a CompletableFuture, do the work before the method returns, or use an AsyncIdempotentExecutor"
                        + " inside");
        Class<?> value = ResolvableType.forType(valueType(method, type)).toClass();
        refusals.refuseIf(
                ReadOnce.is(value),
                "returns " + value.getSimpleName() + ", which can be read once, so that duplicates would get nothing",
                "Return a list, an array or bytes");
    }

    /**
     * Checks a value whose type the declaration of its method did not tell.
     *
     * @throws IllegalStateException if it stands for work that is not done yet
     */
    static void requireNow(Method method, Object value) {
        if (isLater(value.getClass())) {
            throw new IllegalStateException(MethodConfigurationException.describe(method) + " returned a "
                    + value.getClass().getSimpleName() + OUTSIDE
                    + ". Declare a CompletableFuture as its return type, or do the work before the method returns");
        }
    }

    private static boolean isLater(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Stream.concat(Stream.of(type), ClassUtils.getAllInterfacesForClassAsSet(type).stream())
                        .anyMatch(each -> LATER_IN_KOTLIN.contains(each.getName()))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /** Returns whether a method of a class returns a stage with which its work ends. */
    static boolean endsLater(Method method, Class<?> type) {
        Class<?> returned = returned(method, type).resolve();
        return returned == CompletableFuture.class || returned == CompletionStage.class;
    }

    /** Returns the type of the value with which a method of a class ends, at its return or later. */
    static Type valueType(Method method, Class<?> type) {
        ResolvableType returned = returned(method, type);
        return withoutVariables(endsLater(method, type) ? returned.getGeneric() : returned);
    }

    private static ResolvableType returned(Method method, Class<?> type) {
        return ResolvableType.forMethodReturnType(method, type);
    }

    /** Puts the arguments of a generic parent class in the places of its variables. */
    private static Type withoutVariables(ResolvableType type) {
        Type generic = type.getType();
        if (type.hasGenerics() && !type.hasUnresolvableGenerics()) {
            return ResolvableType.forClassWithGenerics(
                            type.toClass(),
                            Stream.of(type.getGenerics())
                                    .map(MethodShape::withoutVariables)
                                    .map(ResolvableType::forType)
                                    .toArray(ResolvableType[]::new))
                    .getType();
        }
        boolean genericArray =
                generic instanceof GenericArrayType && type.getComponentType().hasGenerics();
        return generic instanceof ParameterizedType || genericArray ? generic : type.resolve(Object.class);
    }

    /** Returns whether a method is called after or around the commit of a publisher's transaction, on its thread. */
    static boolean listensToTransactions(Method method) {
        return on(method).isPresent(TRANSACTIONAL_LISTENER);
    }

    private static Set<Method> annotated(Class<?> type, ReflectionUtils.MethodFilter which) {
        return AnnotatedMethods.of(type, Idempotent.class, which);
    }

    /** Returns the annotation of a method that has it. */
    static Idempotent annotation(Method method) {
        return on(method).get(Idempotent.class).synthesize();
    }

    private static boolean isHandler(Method method, Class<?> type) {
        return anyPresent(method, HANDLERS)
                && (isController(type)
                        || (isClient(type) && annotation(method).key().isEmpty()));
    }

    /**
     * Returns whether a bean is called by the interface of a controller that may be in another application: the annotation is about the
     * handlers there, unless it says a key.
     */
    private static boolean isClient(Class<?> type) {
        return type.isInterface() || Proxy.isProxyClass(type);
    }

    private static boolean isController(Class<?> type) {
        return on(type).isPresent(Controller.class);
    }

    private static boolean anyPresent(Method method, List<String> names) {
        MergedAnnotations annotations = on(method);
        return names.stream().anyMatch(annotations::isPresent);
    }

    private static MergedAnnotations on(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
    }
}
