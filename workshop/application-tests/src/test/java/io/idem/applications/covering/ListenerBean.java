package io.idem.applications.covering;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Defines a listener bean of the class {@code shop.listener} with the scope and time that {@code shop.life} selects.
 */
@Configuration(proxyBeanMethods = false)
class ListenerBean {

    static final String NAME = "payments";

    private static final String REFRESH = "refresh";

    @Bean
    static BeanDefinitionRegistryPostProcessor listenerDefinition(Environment environment) {
        return registry -> {
            if (life(environment) != Choice.LATE) {
                define(registry, environment);
            }
            ((ConfigurableBeanFactory) registry).registerScope(REFRESH, new RefreshScope());
        };
    }

    private static Choice life(Environment environment) {
        return Choice.valueOf(environment.getRequiredProperty("shop.life"));
    }

    private static void define(BeanDefinitionRegistry registry, Environment environment) {
        Class<?> type = ClassUtils.resolveClassName(environment.getRequiredProperty("shop.listener"), null);
        BeanDefinition listener =
                BeanDefinitionBuilder.genericBeanDefinition(type).getBeanDefinition();
        switch (life(environment)) {
            case LAZY -> listener.setLazyInit(true);
            case PROTOTYPE -> listener.setScope(BeanDefinition.SCOPE_PROTOTYPE);
            case REFRESH -> listener.setScope(REFRESH);
            default -> {}
        }
        BeanDefinitionHolder holder = new BeanDefinitionHolder(listener, NAME);
        if (life(environment) == Choice.REFRESH) {
            boolean ofClasses = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
            holder = ScopedProxyUtils.createScopedProxy(holder, registry, ofClasses);
        }
        registry.registerBeanDefinition(NAME, holder.getBeanDefinition());
    }

    /** Gets the listener after the application has started, and registers it if code does that. */
    @Bean
    ApplicationRunner listenerAsked(GenericApplicationContext context) {
        return arguments -> {
            if (life(context.getEnvironment()) == Choice.LATE) {
                define(context, context.getEnvironment());
            }
            Object listener = context.getBean(NAME);
            context.getBeansOfType(EndpointRegistration.class)
                    .values()
                    .forEach(registration -> registration.register(listener));
        };
    }

    /** Returns the method of the listener that can be called on its proxy. */
    static Method method(Object listener) {
        Method pay = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(AopUtils.getTargetClass(listener)))
                .filter(method -> method.getName().equals("pay"))
                .findFirst()
                .orElseThrow();
        return AopUtils.selectInvocableMethod(pay, listener.getClass());
    }

    /** The registration of a listener by code. */
    interface EndpointRegistration {

        void register(Object listener);
    }

    /** A scope that keeps one bean of each name until it is refreshed. */
    private static final class RefreshScope implements Scope {

        private final Map<String, Object> beans = new ConcurrentHashMap<>();

        @Override
        public Object get(String name, ObjectFactory<?> maker) {
            Object known = beans.get(name);
            return known == null ? made(name, maker.getObject()) : known;
        }

        private Object made(String name, Object bean) {
            beans.put(name, bean);
            return bean;
        }

        @Override
        public @Nullable Object remove(String name) {
            return beans.remove(name);
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback) {}
    }
}
