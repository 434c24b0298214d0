package io.idem.consumer.internal.guard;

import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.definition.RetentionHorizon;
import io.idem.internal.method.InboxRules;
import io.idem.internal.method.MethodRegistrar;
import io.idem.internal.method.ProxyLayers;
import io.idem.internal.method.UnseenBeans;
import io.idem.operations.ScopeRegistry;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Checks every idempotent listener once all beans are there and before any container starts: it is guarded by the
 * proxy, its attributes make sense, and its scope is its own. Refuses listeners in other contexts of the hierarchy that
 * idem does not see.
 */
public final class ListenerRegistrar extends UnseenBeans implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final IdempotentListeners listeners;
    private final ScopeRegistry scopes;
    private final RetentionHorizon horizon;
    private final ListenerShapeCheck beanChecks;
    private final Function<Method, String> deadLetters;
    private final Supplier<Optional<FunctionListeners>> functions;
    private final StartProof proof;
    private final CopyOnWriteArrayList<RegisteredListener> registered = new CopyOnWriteArrayList<>();

    /**
     * Makes a registrar for the beans of a factory.
     *
     * @param beanChecks reports beans that are made later
     * @param deadLetters says for the start-up report where the dead letters of a listener go
     * @param functions guards listeners that are functions; needed if there are some
     * @param proof proves the listeners
     */
    public ListenerRegistrar(
            ConfigurableListableBeanFactory beans,
            IdempotentListeners listeners,
            ScopeRegistry scopes,
            RetentionHorizon horizon,
            ListenerShapeCheck beanChecks,
            Function<Method, String> deadLetters,
            Supplier<Optional<FunctionListeners>> functions,
            StartProof proof) {
        super(
                ListenerConfigurationException::new,
                "Put @EnableAutoConfiguration beside the @EnableRabbit or @EnableKafka of that context, or move both"
                        + " them and the listener into the context of idem");
        this.beans = beans;
        this.listeners = listeners;
        this.scopes = scopes;
        this.horizon = horizon;
        this.beanChecks = beanChecks;
        this.deadLetters = deadLetters;
        this.functions = functions;
        this.proof = proof;
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
                            "Add idem-cloud-stream for functions of Spring Cloud Stream, or put it on a listener"
                                    + " method"))
                    .guard(made);
        }
        beanChecks.tellOfLateBeans(this::registerLate);
    }

    /** Returns the listeners of a bean: their containers are guarded by the context alone that has them. */
    @Override
    protected Set<Method> unguarded(ConfigurableListableBeanFactory unseen, String beanName, Class<?> type) {
        return ListenerShape.methods(type);
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
        Object bean = MethodRegistrar.made(beans, beanName);
        for (Method method : methods) {
            String what = ListenerConfigurationException.describe(method);
            if (bean != null && !MethodRegistrar.isReplaced(beans, bean, what)) {
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
                if (hasContainer(definition)) {
                    proof.require(definition.scope(), method);
                }
            } else if (!listeners.definitions().isPerBean(type, method)) {
                register(beanName, type, listeners.definitions().shared(type, method));
            }
        }
    }

    /** Returns whether Spring makes a container for a listener whose bean is there: it looks for its annotations. */
    private boolean hasContainer(ListenerDefinition definition) {
        String transport =
                StringUtils.capitalize(RegisteredListener.of(definition).transport());
        return listeners.runtime().settings().directCalls() == DirectCallPolicy.REFUSE
                && !MethodRegistrar.replaces(beans)
                && Arrays.stream(beans.getBeanDefinitionNames())
                        .anyMatch(name -> name.endsWith("internal" + transport + "ListenerAnnotationProcessor"));
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
        register(participant(beanName, type, definition.method()), RegisteredListener.of(definition), definition);
    }

    /**
     * Registers a function of the application as a listener.
     *
     * @param participant the name by which a developer finds it
     * @param transport of its messages, as in events and meters
     * @throws ListenerConfigurationException if it forgets sooner than the operator allows
     */
    public void register(String participant, String transport, ListenerDefinition definition) {
        register(
                participant,
                new RegisteredListener(definition.scope(), transport, definition.missingKey()),
                definition);
    }

    private void register(String participant, RegisteredListener listener, ListenerDefinition definition) {
        horizon.check(definition);
        scopes.register(definition.scope(), participant, definition.policy());
        proof.expect(definition.scope(), description(definition));
        registered.addIfAbsent(listener);
    }

    private static String participant(String beanName, Class<?> type, Method method) {
        return beanName + ": " + ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName();
    }

    private String description(ListenerDefinition definition) {
        return "key from " + definition.keys() + ", "
                + InboxRules.words(definition.inbox(), definition.endsInTransaction())
                + deadLetters.apply(definition.method());
    }
}
