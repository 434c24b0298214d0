package io.idem.internal.method;

import io.idem.Idempotent;
import io.idem.InboxTransaction;
import io.idem.internal.spring.FinishedBeans;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Refuses classes whose {@link io.idem.Idempotent} methods no proxy could guard, before Spring fails with a message of its own, and beans
 * whose finished proxies would not guard them, also those that are made late.
 */
public final class MethodShapeCheck extends FinishedBeans {

    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private final boolean inboxAlways;

    /**
     * Makes the check of an application.
     *
     * @param inboxAlways whether every method runs in the inbox, because it is the store
     */
    public MethodShapeCheck(boolean inboxAlways) {
        this.inboxAlways = inboxAlways;
    }

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        checkShape(beanClass);
        return null;
    }

    private void checkShape(Class<?> type) {
        if (!checked.contains(type)) {
            MethodShape.check(type);
            checked.add(type);
        }
    }

    /** Checks also the class: what a {@code @Bean} method returns may be of another one than it declares. */
    @Override
    protected void check(Object bean, String beanName) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        checkShape(type);
        if (bean instanceof Advised) {
            MethodShape.methods(type).forEach(method -> guard(bean, beanName, method));
        }
    }

    /** Returns the checked proxies of a method, of which one decides. */
    ProxyGuard guard(Object bean, String beanName, Method method) {
        ProxyLayers.of(bean).decideOnce(IdempotentMethodAdvisor.class);
        ProxyGuard guard =
                ProxyGuard.of(bean, beanName, method, IdempotentMethodAdvisor.class, MethodConfigurationException::new);
        check(guard, MethodShape.annotation(method));
        return guard;
    }

    private void check(ProxyGuard guard, Idempotent annotation) {
        guard.checkOrder();
        StartRefusal refusal = guard.refusal();
        refusal.refuseIf(
                guard.handsOverInside(),
                "would be recorded as done before its work is done: its @Async starts a thread inside of the guard",
                "Leave the order of @EnableAsync and of its post-processor at their defaults");
        refusal.refuseIf(
                guard.authorizesInside(),
                "would answer duplicates without asking whether their callers are authorized: its transaction stands outside of"
                        + " Spring Security's advisors, and the guard has to stand outside of the transaction",
                "Give @EnableTransactionManagement a larger order, or none, or @EnableMethodSecurity a smaller offset");
        boolean inbox = inboxAlways || annotation.inbox();
        refusal.refuseIf(
                inbox && MethodShape.listensToTransactions(guard.method()) && guard.runsApart(),
                "runs in the transaction of its inbox, and its annotation, such as @ApplicationModuleListener, asks for"
                        + " another one by @Transactional(propagation = REQUIRES_NEW)",
                "Write @Async @TransactionalEventListener @Idempotent(inbox = true) instead");
        if (inbox && annotation.transaction() == InboxTransaction.LAST_PHASE) {
            guard.checkOutsideOfTransactions();
        } else if (inbox) {
            guard.checkInsideInbox();
        }
    }
}
