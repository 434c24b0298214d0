package io.idem.consumer.guard;

import io.idem.ScopeRegistry;
import io.idem.consumer.call.IdempotentListeners;
import io.idem.consumer.definition.ListenerDefinition;
import io.idem.consumer.definition.ListenerShape;
import io.idem.consumer.definition.RetentionHorizon;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Looks at every idempotent listener once all beans are there and before any container starts: it is guarded by the proxy, its
 * attributes make sense, and its scope is its own.
 */
public final class ListenerRegistrar implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final IdempotentListeners listeners;
    private final ScopeRegistry scopes;
    private final RetentionHorizon horizon;
    private final List<RegisteredListener> registered = new CopyOnWriteArrayList<>();

    /** A registrar for the beans of a factory. */
    public ListenerRegistrar(
            ConfigurableListableBeanFactory beans,
            IdempotentListeners listeners,
            ScopeRegistry scopes,
            RetentionHorizon horizon) {
        this.beans = beans;
        this.listeners = listeners;
        this.scopes = scopes;
        this.horizon = horizon;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .forEach(this::register);
    }

    /** What was found; complete once all beans are there. */
    public List<RegisteredListener> registered() {
        return List.copyOf(registered);
    }

    private void register(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null) {
            return;
        }
        for (Method method : ListenerShape.methods(type)) {
            ListenerShape.check(type);
            checkGuarded(beanName, method);
            ListenerDefinition definition = listeners.definitions().of(method, type);
            horizon.check(definition);
            scopes.register(
                    definition.scope(),
                    beanName + ": " + type.getSimpleName() + "." + method.getName(),
                    definition.policy());
            registered.add(RegisteredListener.of(definition));
        }
    }

    private void checkGuarded(String beanName, Method method) {
        Object bean = beans.getSingleton(beanName);
        // What a factory makes is made when somebody asks for it; what a scoped proxy stands for may be there already.
        Object guarded =
                bean instanceof FactoryBean ? beans.getSingleton(ScopedProxyUtils.getTargetBeanName(beanName)) : bean;
        if (guarded != null) {
            Guard.of(guarded, beanName, method).check();
        }
    }
}
