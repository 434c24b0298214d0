package io.idem.consumer.internal.guard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * The proxies that Spring has put around a bean, nested where an application has several proxy creators.
 *
 * @param proxies from the outermost on; none for a bean without proxies
 */
record ProxyLayers(List<Advised> proxies) {

    static ProxyLayers of(Object bean) {
        List<Advised> proxies = new ArrayList<>(1);
        @Nullable Object current = bean;
        while (current instanceof Advised proxy) {
            proxies.add(proxy);
            current = AopProxyUtils.getSingletonTarget(proxy);
        }
        return new ProxyLayers(List.copyOf(proxies));
    }

    /** The advisors of all proxies in the order in which they are called. */
    List<Advisor> advisors() {
        return proxies.stream()
                .flatMap(proxy -> List.of(proxy.getAdvisors()).stream())
                .toList();
    }

    /** Number of advisors of the outermost proxy. */
    int outermost() {
        return proxies.isEmpty() ? 0 : proxies.get(0).getAdvisors().length;
    }

    /**
     * Keeps the deciding interceptor in the outermost proxy that has it: an inner one would take the call of an outer
     * one for a call that is no delivery.
     */
    void decideOnce() {
        proxies.stream().filter(ProxyLayers::decides).skip(1).forEach(ProxyLayers::removeDeciding);
    }

    private static boolean decides(Advised proxy) {
        return List.of(proxy.getAdvisors()).stream().anyMatch(IdempotentListenerAdvisor.class::isInstance);
    }

    private static void removeDeciding(Advised proxy) {
        for (Advisor advisor : proxy.getAdvisors()) {
            if (advisor instanceof IdempotentListenerAdvisor) {
                proxy.removeAdvisor(advisor);
            }
        }
    }
}
