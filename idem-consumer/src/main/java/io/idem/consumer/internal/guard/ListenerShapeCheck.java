package io.idem.consumer.internal.guard;

import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.internal.method.ProxyLayers;
import io.idem.internal.spring.FinishedBeans;
import java.lang.reflect.Method;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Refuses classes whose idempotent listener methods no proxy could guard, before Spring fails with a message of its
 * own, and beans whose finished proxies would not guard them, also those that are made late.
 */
public final class ListenerShapeCheck extends FinishedBeans {

    private volatile BiConsumer<Object, String> late = (bean, beanName) -> {};

    /** Sets the callback for beans with proxies that are made from now on. */
    void tellOfLateBeans(BiConsumer<Object, String> registrar) {
        late = registrar;
    }

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        ListenerShape.check(beanClass);
        return null;
    }

    @Override
    protected void check(Object bean, String beanName) {
        if (!(bean instanceof Advised)) {
            return;
        }
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        for (Method method : ListenerShape.methods(type)) {
            ProxyLayers.of(bean).decideOnce(IdempotentListenerAdvisor.class);
            Guard.of(bean, beanName, method).checkProxies();
        }
        ListenerShape.handlers(type)
                .forEach(method -> Guard.of(bean, beanName, method).proxies().checkOverridden());
        late.accept(bean, beanName);
    }

    /**
     * Checks the object that a container is to call, on whatever way it came there.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if an idempotent method of it would run unguarded
     */
    public static void checkCalled(Object bean) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        ListenerShape.check(type);
        boolean chosenLater =
                bean instanceof Advised proxy && !proxy.getTargetSource().isStatic();
        if (!chosenLater) {
            ListenerShape.methods(type)
                    .forEach(method ->
                            Guard.of(bean, type.getSimpleName(), method).check());
        }
    }
}
