package io.idem.consumer.internal.guard;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.definition.RetentionHorizon;
import io.idem.internal.method.ProxyLayers;
import io.idem.operations.ScopeRegistry;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Checks every idempotent listener once all beans are there and before any container starts: it is guarded by the
 * proxy, its attributes make sense, and its scope is its own.
 */
public final class ListenerRegistrar implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final IdempotentListeners listeners;
    private final ScopeRegistry scopes;
    private final RetentionHorizon horizon;
    private final ListenerShapeCheck beanChecks;
    private final Function<Method, String> deadLetters;
    private final Supplier<Optional<FunctionListeners>> functions;
    private final CopyOnWriteArrayList<RegisteredListener> registered = new CopyOnWriteArrayList<>();

    /**
     * Makes a registrar for the beans of a factory.
     *
     * @param beanChecks reports beans that are made later
     * @param deadLetters says for the start-up report where the dead letters of a listener go
     * @param functions guards listeners that are functions; needed if there are some
     */
    public ListenerRegistrar(
            ConfigurableListableBeanFactory beans,
            IdempotentListeners listeners,
            ScopeRegistry scopes,
            RetentionHorizon horizon,
            ListenerShapeCheck beanChecks,
            Function<Method, String> deadLetters,
            Supplier<Optional<FunctionListeners>> functions) {
        this.beans = beans;
        this.listeners = listeners;
        this.scopes = scopes;
        this.horizon = horizon;
        this.beanChecks = beanChecks;
        this.deadLetters = deadLetters;
        this.functions = functions;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .forEach(this::register);
        List<String> made = List.of(beans.getBeanNamesForAnnotation(IdempotentListener.class));
        if (!made.isEmpty()) {
            functions
                    .get()
                    .orElseThrow(() -> new ListenerConfigurationException(
                            "@IdempotentListener stands on the @Bean method of \"" + made.get(0)
                                    + "\", and nothing in this application guards functions",
                            "Add idem-cloud-stream for functions of Spring Cloud Stream, or put it on a listener method",
                            null))
                    .guard(made);
        }
        beanChecks.tellOfLateBeans(this::registerLate);
    }

    /** The listeners that were found; complete once all beans are there. */
    public List<RegisteredListener> registered() {
        return List.copyOf(registered);
    }

    private void register(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null) {
            return;
        }
        Set<Method> methods = ListenerShape.methods(type);
        if (methods.isEmpty()) {
            return;
        }
        ListenerShape.check(type);
        Object bean = made(beanName);
        for (Method method : methods) {
            if (bean != null) {
                ProxyLayers.of(bean).decideOnce(IdempotentListenerAdvisor.class);
                Guard guard = Guard.of(bean, beanName, method);
                guard.check();
                ListenerDefinition definition = listeners.definitions().of(bean, method);
                if (definition.endsInTransaction()) {
                    guard.proxies().checkOutsideOfTransactions();
                } else if (definition.inbox() != null) {
                    guard.proxies().checkInsideInbox();
                }
                register(beanName, type, definition);
            } else if (!listeners.definitions().isPerBean(type, method)) {
                register(beanName, type, listeners.definitions().shared(type, method));
            }
        }
    }

    /** Returns the bean; null if it is made later. */
    private @Nullable Object made(String beanName) {
        Object bean = beans.getSingleton(beanName);
        // The product of a factory bean is made on request; the target of a scoped proxy may be there already.
        return bean instanceof FactoryBean ? beans.getSingleton(ScopedProxyUtils.getTargetBeanName(beanName)) : bean;
    }

    /**
     * Registers a bean that was made later. Beans whose definitions are those of their class are registered already.
     */
    private void registerLate(Object bean, String beanName) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        ListenerShape.methods(type).stream()
                .filter(method -> listeners.definitions().isPerBean(type, method))
                .forEach(method ->
                        register(beanName, type, listeners.definitions().of(bean, method)));
    }

    private void register(String beanName, Class<?> type, ListenerDefinition definition) {
        horizon.check(definition);
        scopes.register(definition.scope(), participant(beanName, type, definition.method()), definition.policy());
        scopes.describe(definition.scope(), description(definition));
        registered.addIfAbsent(RegisteredListener.of(definition));
    }

    /**
     * Registers a function of the application as a listener.
     *
     * @param participant the name by which a developer finds it
     * @param transport of its messages, as in events and meters
     * @throws ListenerConfigurationException if it forgets sooner than the operator allows
     */
    public void register(String participant, String transport, ListenerDefinition definition) {
        horizon.check(definition);
        scopes.register(definition.scope(), participant, definition.policy());
        scopes.describe(definition.scope(), description(definition));
        registered.addIfAbsent(new RegisteredListener(definition.scope(), transport, definition.missingKey()));
    }

    private static String participant(String beanName, Class<?> type, Method method) {
        return beanName + ": " + ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName();
    }

    private String description(ListenerDefinition definition) {
        String inbox =
                definition.endsInTransaction() ? "for its last phase" : definition.inbox() == null ? "no" : "yes";
        return "key from " + definition.keys() + ", inbox " + inbox + deadLetters.apply(definition.method());
    }
}
