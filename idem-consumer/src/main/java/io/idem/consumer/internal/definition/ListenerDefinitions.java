package io.idem.consumer.internal.definition;

import io.idem.Scope;
import io.idem.consumer.IdempotentListener;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * The definitions of all {@link IdempotentListener} methods, each made once: for all beans of a class, or for each bean
 * if an attribute has a bean expression. Thread-safe.
 */
public final class ListenerDefinitions {

    private static final String BEAN_EXPRESSION = "#{";

    private final Factory factory;
    private final Map<MethodClassKey, Definitions> known = new ConcurrentHashMap<>();
    private final Map<Scope, ListenerDefinition> byScope = new ConcurrentHashMap<>();

    public ListenerDefinitions(Factory factory) {
        this.factory = factory;
    }

    /** Makes the definition of a method of the target class, for a bean; null for no bean in particular. */
    @FunctionalInterface
    public interface Factory {

        /**
         * Creates the definition.
         *
         * @throws io.idem.consumer.ListenerConfigurationException names the method, the attribute and what to do
         */
        ListenerDefinition create(Method method, @Nullable Object bean);
    }

    /**
     * Returns the annotation of a method as it is on the target class, its parents and interfaces; null if there is
     * none. That of a {@code @Bean} method is about the bean that it makes.
     */
    public static @Nullable IdempotentListener annotation(Method method, @Nullable Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        return AnnotatedElementUtils.hasAnnotation(specific, Bean.class)
                ? null
                : AnnotatedElementUtils.findMergedAnnotation(specific, IdempotentListener.class);
    }

    /** Returns the definition of a bean's method, or of a listener that brings its own. The bean may be in proxies. */
    public ListenerDefinition of(Object bean, Method method) {
        if (bean instanceof DefinedListener own) {
            return own.definition();
        }
        return definitions(AopProxyUtils.ultimateTargetClass(bean), method).of(bean);
    }

    /**
     * Returns the definition that all beans of a class share.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if an attribute needs the bean
     */
    public ListenerDefinition shared(Class<?> type, Method method) {
        return definitions(type, method).shared();
    }

    /** Returns the definition of the listener with that scope; empty if none was made yet. */
    public Optional<ListenerDefinition> of(Scope scope) {
        return Optional.ofNullable(byScope.get(scope));
    }

    /** Returns whether each bean of the class has a definition of its own for the method. */
    public boolean isPerBean(Class<?> type, Method method) {
        return definitions(type, method).perBean;
    }

    private Definitions definitions(Class<?> type, Method method) {
        return Objects.requireNonNull(known.computeIfAbsent(
                new MethodClassKey(method, type),
                missing -> new Definitions(AopUtils.getMostSpecificMethod(method, type), this::create)));
    }

    private ListenerDefinition create(Method method, @Nullable Object bean) {
        return known(factory.create(method, bean));
    }

    /** Notes the definition of a listener that brings its own. */
    public ListenerDefinition known(ListenerDefinition made) {
        byScope.put(made.scope(), made);
        return made;
    }

    /** Returns whether a text has a part that Spring evaluates with the beans of the application. */
    static boolean hasBeanExpression(String text) {
        return text.contains(BEAN_EXPRESSION);
    }

    /** The definitions of a method: one for all beans, or one for each. */
    private static final class Definitions {

        private final Method method;
        private final Factory factory;
        private final boolean perBean;
        private final Map<Object, ListenerDefinition> byBean = new ByIdentity();
        private volatile @Nullable ListenerDefinition shared;

        Definitions(Method method, Factory factory) {
            this.method = method;
            this.factory = factory;
            Map<String, Object> attributes = AnnotatedElementUtils.findMergedAnnotationAttributes(
                    method, IdempotentListener.class, false, false);
            this.perBean = attributes != null && attributes.values().stream().anyMatch(Definitions::hasExpression);
        }

        private static boolean hasExpression(Object attribute) {
            return attribute instanceof String[] texts
                    ? Arrays.stream(texts).anyMatch(ListenerDefinitions::hasBeanExpression)
                    : attribute instanceof String text && hasBeanExpression(text);
        }

        ListenerDefinition of(Object bean) {
            return perBean
                    ? Objects.requireNonNull(
                            byBean.computeIfAbsent(target(bean), missing -> factory.create(method, missing)))
                    : shared();
        }

        ListenerDefinition shared() {
            ListenerDefinition made = shared;
            if (made == null) {
                made = factory.create(method, null);
                shared = made;
            }
            return made;
        }

        /** Returns the innermost target of the bean, which is the one that the deciding interceptor sees. */
        private static Object target(Object bean) {
            Object current = bean;
            Object inner = AopProxyUtils.getSingletonTarget(current);
            while (inner != null) {
                current = inner;
                inner = AopProxyUtils.getSingletonTarget(current);
            }
            return current;
        }
    }

    /** Keys beans by identity, since different beans may be equal, and drops those that are no longer used. */
    private static final class ByIdentity extends ConcurrentReferenceHashMap<Object, ListenerDefinition> {

        @Override
        protected int getHash(@Nullable Object bean) {
            return System.identityHashCode(bean);
        }
    }
}
