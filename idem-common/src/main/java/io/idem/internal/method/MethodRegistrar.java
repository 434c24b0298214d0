package io.idem.internal.method;

import io.idem.operations.ScopeRegistry;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Checks every {@link io.idem.Idempotent} method once all beans are there: it is guarded by the proxy, its attributes make sense, and its
 * scope is its own. Refuses methods in other contexts of the hierarchy that idem does not see.
 */
public final class MethodRegistrar extends UnseenBeans implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(MethodRegistrar.class);

    /** Puts mocks and other objects of a test in the place of beans; there only in tests that do so. */
    private static final String REPLACING =
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private final IdempotentMethods methods;
    private final ScopeRegistry scopes;
    private final MethodShapeCheck shapes;

    public MethodRegistrar(
            ConfigurableListableBeanFactory beans,
            IdempotentMethods methods,
            ScopeRegistry scopes,
            MethodShapeCheck shapes) {
        super(
                MethodConfigurationException::new,
                "Put @EnableAutoConfiguration on a configuration of that context, or move the bean into the context of idem");
        this.beans = beans;
        this.methods = methods;
        this.scopes = scopes;
        this.shapes = shapes;
    }

    /** Includes finished objects that were registered without a definition, which no post-processor has seen. */
    @Override
    public void afterSingletonsInstantiated() {
        Stream.of(beans.getBeanDefinitionNames(), beans.getSingletonNames())
                .flatMap(Arrays::stream)
                .distinct()
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .forEach(this::register);
    }

    private void register(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null) {
            return;
        }
        MethodShape.check(type);
        Set<Method> annotated = MethodShape.methods(type);
        if (annotated.isEmpty()) {
            return;
        }
        beans.registerDependentBean(IdempotentMethods.BEAN, beanName);
        Object bean = made(beans, beanName);
        for (Method method : annotated) {
            MethodDefinition definition = methods.definitions().of(method, type);
            if (bean != null && !isReplaced(beans, bean, definition)) {
                check(shapes.guard(bean, beanName, method));
            }
            scopes.register(definition.scope(), participant(beanName, type, method), definition.policy());
            scopes.describe(
                    definition.scope(),
                    "key from " + definition.key() + ", "
                            + InboxRules.words(definition.inbox(), definition.endsInTransaction()));
        }
    }

    private static void check(ProxyGuard guard) {
        guard.checkGuarded();
        boolean apart = guard.runsElsewhere() || guard.runsApart();
        guard.refusal()
                .refuseIf(
                        MethodShape.listensToTransactions(guard.method()) && !apart,
                        "is a @TransactionalEventListener and runs while the publisher's transaction is still bound to its thread",
                        "Write @Async @TransactionalEventListener @Idempotent, and switch @EnableAsync on");
    }

    /** Returns whether a bean is taken for what a test put in its place, such as a mock, which nothing guards and which does no work. */
    public static boolean isReplaced(ConfigurableListableBeanFactory beans, Object bean, Object what) {
        boolean replaced = !(bean instanceof Advised) && replaces(beans);
        if (replaced) {
            LOG.warn("{} is not guarded: a test has put an object of its own in the place of the bean", what);
        }
        return replaced;
    }

    /** Returns whether a test may have put objects of its own in the place of beans. */
    public static boolean replaces(ConfigurableListableBeanFactory beans) {
        return beans.containsBean(REPLACING);
    }

    /** Returns the bean; null if it is made later. */
    public static @Nullable Object made(ConfigurableListableBeanFactory beans, String beanName) {
        Object bean = beans.getSingleton(beanName);
        // The product of a factory bean is made on request; the target of a scoped proxy may be there already.
        return bean instanceof FactoryBean ? beans.getSingleton(ScopedProxyUtils.getTargetBeanName(beanName)) : bean;
    }

    /** Returns the methods of a bean, unless its context makes proxies with the advisors of its parents. */
    @Override
    protected Set<Method> unguarded(ConfigurableListableBeanFactory unseen, String beanName, Class<?> type) {
        Object bean = made(unseen, beanName);
        boolean guarded = bean != null
                && ProxyLayers.of(bean).advisors().stream().anyMatch(IdempotentMethodAdvisor.class::isInstance);
        return guarded ? Set.of() : MethodShape.methods(type);
    }

    private static String participant(String beanName, Class<?> type, Method method) {
        String parameters = Stream.of(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
        return beanName + ": " + ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName() + parameters;
    }
}
