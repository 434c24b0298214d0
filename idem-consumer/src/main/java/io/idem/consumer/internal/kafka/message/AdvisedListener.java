package io.idem.consumer.internal.kafka.message;

import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * A container's own listener, called through the advices that the application has given the container. They stand
 * behind the delivery hook, so that none of them sees a deferral or can swallow one; failures of the listener that they
 * swallow are noted behind them.
 */
public final class AdvisedListener<L> {

    private final L listener;
    private volatile L called;

    public AdvisedListener(L listener) {
        this.listener = listener;
        this.called = listener;
    }

    /**
     * Takes the application's advices out of a container, and its listener out of the proxy that the container has made
     * for them.
     *
     * @return the advices from the outermost on
     */
    public static List<Advisor> takeAdvisors(ContainerProperties properties) {
        Object proxy = properties.getMessageListener();
        if (properties.getAdviceChain().length == 0) {
            return List.of();
        }
        // A container adds its advices to a listener that is a proxy already; those of a bean stay there, behind its
        // idempotent method.
        boolean bean = IdempotentKafkaEndpoint.of(proxy).isPresent();
        properties.setAdviceChain();
        Object target = bean || proxy == null ? null : AopProxyUtils.getSingletonTarget(proxy);
        if (target == null || !(proxy instanceof Advised advised)) {
            return List.of();
        }
        properties.setMessageListener(target);
        return List.of(advised.getAdvisors());
    }

    /** Puts advices in front of the listener. */
    @SuppressWarnings("unchecked")
    public void advise(List<Advisor> advisors) {
        if (!advisors.isEmpty()) {
            ProxyFactory proxy = new ProxyFactory(called);
            proxy.addAdvisors(advisors);
            proxy.addAdvice(new KafkaFailureObserver());
            called = (L) proxy.getProxy(listener.getClass().getClassLoader());
        }
    }

    /** The container's own listener, without advices. */
    public L listener() {
        return listener;
    }

    /** The listener that the hook calls. */
    public L called() {
        return called;
    }
}
