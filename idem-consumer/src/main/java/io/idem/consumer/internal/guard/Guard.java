package io.idem.consumer.internal.guard;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerShape;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * Start-up check of the proxies around one idempotent listener method: the deciding interceptor is there, and its parts
 * are in an order that works.
 *
 * @param type of the bean, without its proxies
 */
record Guard(ProxyLayers layers, String beanName, Class<?> type, Method method) {

    static Guard of(Object bean, String beanName, Method method) {
        return new Guard(ProxyLayers.of(bean), beanName, AopProxyUtils.ultimateTargetClass(bean), method);
    }

    /**
     * Checks the method and its proxies.
     *
     * @throws ListenerConfigurationException if the method would run unguarded, or be recorded before it is committed
     */
    void check() {
        if (first(IdempotentListenerAdvisor.class::isInstance)
                == layers.advisors().size()) {
            throw refused(
                    "is not guarded: bean \"" + beanName + "\" was created before proxies could be made for it",
                    "Do not let a BeanPostProcessor or BeanFactoryPostProcessor depend on the bean");
        }
        checkProxies();
    }

    /**
     * Checks the present proxies.
     *
     * @throws ListenerConfigurationException if the method would run unguarded, or be recorded before it is committed
     */
    void checkProxies() {
        checkOverridden();
        int transaction = first(this::startsTransaction);
        if (transaction < first(IdempotentListenerAdvisor.class::isInstance)) {
            throw transaction < layers.outermost() && layers.proxies().size() > 1
                    ? refused(
                            "would be recorded as done before its transaction commits: another proxy creator, such as a"
                                    + " BeanNameAutoProxyCreator, puts a TransactionInterceptor around bean \""
                                    + beanName
                                    + "\"",
                            "Put @Transactional on the method, and take the bean off that proxy creator")
                    : refused(
                            "would be recorded as done before its transaction commits: nothing can be put around"
                                    + " @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)",
                            "Give @EnableTransactionManagement a larger order, or none");
        }
        if (layers.advisors().stream().anyMatch(this::runsElsewhere)) {
            throw refused(
                    "is called on another thread by bean \"" + beanName + "\", as by @Async or by the annotation of"
                            + " @EnableAsync(annotation = …): its message would be acknowledged before its work is done",
                    "Remove the annotation from the method, its class, their parents and interfaces");
        }
    }

    /**
     * Checks that a proxy overrides the method: one that could not be defined beside the class overrides fewer methods.
     *
     * @throws ListenerConfigurationException if it does not override the method
     */
    void checkOverridden() {
        for (Advised proxy : layers.proxies()) {
            if (AopUtils.isCglibProxy(proxy) && !ListenerShape.isVisible(method, proxy.getClass())) {
                throw refused(
                        "is package-private, and the proxy of bean \"" + beanName
                                + "\" belongs to another package or class loader, from which it cannot be overridden",
                        "Make it protected or public");
            }
        }
    }

    /**
     * Checks the transactions that proxies ask for inside the one that an inbox opens for the method. They join it, and
     * what they ask for beyond that would be ignored, or refused for every message.
     *
     * @throws ListenerConfigurationException if one asks for more than to join
     */
    void checkInsideInbox() {
        layers.advisors().stream()
                .flatMap(advisor -> transaction(advisor).stream())
                .forEach(this::requireJoining);
    }

    /** Refuses a transaction around work that ends in a transaction of its own. */
    void checkOutsideOfTransactions() {
        layers.advisors().stream()
                .flatMap(advisor -> transaction(advisor).stream())
                .findFirst()
                .ifPresent(asked -> {
                    throw refused(
                            "opens the transaction of its inbox as its last phase, and its @Transactional, or that of its class, opens one"
                                    + " around all of it (" + asked + ")",
                            "Remove @Transactional, and write to the database in inTransaction of the IdempotencyContext");
                });
    }

    private void requireJoining(TransactionAttribute asked) {
        int propagation = asked.getPropagationBehavior();
        if (propagation == TransactionDefinition.PROPAGATION_REQUIRES_NEW
                || propagation == TransactionDefinition.PROPAGATION_NOT_SUPPORTED
                || propagation == TransactionDefinition.PROPAGATION_NEVER) {
            throw refused(
                    "runs in the transaction of its inbox, and its @Transactional asks for work outside of it (" + asked
                            + ")",
                    "Remove @Transactional or its propagation: the inbox has opened a transaction");
        }
        if (asked.getIsolationLevel() != TransactionDefinition.ISOLATION_DEFAULT
                || asked.getTimeout() != TransactionDefinition.TIMEOUT_DEFAULT
                || asked.isReadOnly()) {
            throw refused(
                    "runs in the transaction of its inbox, in which isolation, timeout and readOnly of its @Transactional"
                            + " would be ignored (" + asked + ")",
                    "Remove them; set the isolation of the pool (with HikariCP:"
                            + " spring.datasource.hikari.transaction-isolation), and the timeout of the transaction"
                            + " manager (spring.transaction.default-timeout)");
        }
    }

    private ListenerConfigurationException refused(String problem, String action) {
        return new ListenerConfigurationException(method, problem, action);
    }

    private int first(Predicate<Advisor> kind) {
        List<Advisor> advisors = layers.advisors();
        return IntStream.range(0, advisors.size())
                .filter(index -> kind.test(advisors.get(index)))
                .findFirst()
                .orElse(advisors.size());
    }

    private boolean startsTransaction(Advisor advisor) {
        return transaction(advisor).isPresent();
    }

    private Optional<TransactionAttribute> transaction(Advisor advisor) {
        if (!(advisor.getAdvice() instanceof TransactionInterceptor transactions) || !applies(advisor)) {
            return Optional.empty();
        }
        return Optional.ofNullable(transactions.getTransactionAttributeSource())
                .map(attributes -> attributes.getTransactionAttribute(method, type));
    }

    private boolean runsElsewhere(Advisor advisor) {
        return advisor.getAdvice() instanceof AsyncExecutionInterceptor && applies(advisor);
    }

    private boolean covers(Pointcut pointcut) {
        return pointcut.getClassFilter().matches(type)
                && pointcut.getMethodMatcher().matches(method, type);
    }

    private boolean applies(Advisor advisor) {
        return !(advisor instanceof PointcutAdvisor pointcut) || covers(pointcut.getPointcut());
    }
}
