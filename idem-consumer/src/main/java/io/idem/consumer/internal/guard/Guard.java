package io.idem.consumer.internal.guard;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.internal.method.ProxyGuard;
import java.lang.reflect.Method;

/** Start-up check of the proxies around one idempotent listener method. */
record Guard(ProxyGuard proxies) {

    static Guard of(Object bean, String beanName, Method method) {
        return new Guard(ProxyGuard.of(
                bean, beanName, method, IdempotentListenerAdvisor.class, ListenerConfigurationException::new));
    }

    /**
     * Checks the method and its proxies.
     *
     * @throws ListenerConfigurationException if the method would run unguarded, or be recorded before it is committed
     */
    void check() {
        proxies.checkGuarded();
        checkProxies();
    }

    /**
     * Checks the present proxies.
     *
     * @throws ListenerConfigurationException if the method would run unguarded, or be recorded before it is committed
     */
    void checkProxies() {
        proxies.checkOrder();
        proxies.refusal()
                .refuseIf(
                        proxies.runsElsewhere(),
                        "is called on another thread by bean \"" + proxies.beanName()
                                + "\", as by @Async or by the annotation of"
                                + " @EnableAsync(annotation = …): its message would be acknowledged before its work is done",
                        "Remove the annotation from the method, its class, their parents and interfaces");
    }
}
