package io.idem.consumer.rabbit;

import io.idem.consumer.call.BatchListeners;
import io.idem.consumer.call.IdempotentListeners;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;

/** Installs delivery hooks through every listener container factory of the application, Boot's and its own alike. */
public final class RabbitHookInstaller implements SmartInstantiationAwareBeanPostProcessor {

    private final HookParts parts;

    /**
     * An installer.
     *
     * @param listeners asked when the first container is created
     * @param batches asked when the first container of a batch listener is created
     * @param deadLetters where dead letters go; null leaves them to the queues
     * @param deferrals how messages wait that cannot run now
     * @param recoverers of the application; asked when the first container of a batch listener is created
     */
    public RabbitHookInstaller(
            Supplier<IdempotentListeners> listeners,
            Supplier<BatchListeners> batches,
            Supplier<@Nullable DeadLetterPublisher> deadLetters,
            Supplier<Deferrals> deferrals,
            Supplier<List<MessageRecoverer>> recoverers) {
        Supplier<DeadLetters> letters = () -> {
            DeadLetterPublisher publisher = deadLetters.get();
            return publisher == null ? DeadLetters.LEFT_TO_THE_QUEUE : publisher;
        };
        this.parts = new HookParts(listeners, batches, letters, deferrals, recoverers);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof BaseRabbitListenerContainerFactory<?> factory) {
            return watched(factory);
        }
        return bean instanceof RabbitListenerContainerFactory<?> foreign
                ? new ForeignFactory(foreign).refusing()
                : bean;
    }

    /** Lets ahead-of-time processing make the proxy's class, which a native image cannot do while it runs. */
    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        if (!BaseRabbitListenerContainerFactory.class.isAssignableFrom(beanClass) || !ExtensibleType.is(beanClass)) {
            return beanClass;
        }
        ProxyFactory proxy = new ProxyFactory();
        proxy.setTargetClass(beanClass);
        proxy.setProxyTargetClass(true);
        return proxy.getProxyClass(beanClass.getClassLoader());
    }

    private Object watched(BaseRabbitListenerContainerFactory<?> factory) {
        ProxyFactory proxy = new ProxyFactory(factory);
        proxy.setProxyTargetClass(ExtensibleType.is(factory.getClass()));
        proxy.addAdvice(new ListenerContainers(factory, parts));
        return proxy.getProxy(factory.getClass().getClassLoader());
    }
}
