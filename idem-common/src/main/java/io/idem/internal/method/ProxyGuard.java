package io.idem.internal.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Start-up check of the proxies around one annotated method: the deciding interceptor is there, and its parts are in an
 * order that works.
 *
 * @param type of the bean, without its proxies
 * @param deciding the class of the advisor that has the deciding interceptor
 * @param refusal makes the exceptions of all checks
 */
public record ProxyGuard(
        ProxyLayers layers,
        String beanName,
        Class<?> type,
        Method method,
        Class<? extends Advisor> deciding,
        StartRefusal refusal) {

    private static final String AUTHORIZATION =
            "org.springframework.security.authorization.method.AuthorizationAdvisor";

    private static final Set<String> CALLS_NOTHING = Set.of(
            "org.springframework.aop.interceptor.",
            "org.springframework.aop.support.",
            "org.springframework.dao.support.",
            "org.springframework.resilience.");

    public static ProxyGuard of(
            Object bean, String beanName, Method method, Class<? extends Advisor> deciding, Refusals refusals) {
        return new ProxyGuard(
                ProxyLayers.of(bean),
                beanName,
                AopProxyUtils.ultimateTargetClass(bean),
                method,
                deciding,
                refusals.of(method));
    }

    /** Checks that the deciding interceptor is there. */
    public void checkGuarded() {
        refusal.refuseIf(
                first(deciding::isInstance).isEmpty(),
                "is not guarded: \"" + beanName
                        + "\" was created before proxies could be made for it, is a finished object or no bean, or"
                        + " is in a circular reference",
                "Register it as a bean by a definition, and let no BeanPostProcessor, BeanFactoryPostProcessor or"
                        + " bean that it needs depend on it");
    }

    /** Checks that the present proxies override the method, and that the work would be committed before it is recorded. */
    public void checkOrder() {
        checkOverridden();
        OptionalInt transaction = first(advisor ->
                ProxyLayers.transaction(advisor, method, type).findAny().isPresent());
        int decision = first(deciding::isInstance).orElse(Integer.MAX_VALUE);
        if (transaction.isEmpty() || transaction.getAsInt() > decision) {
            return;
        }
        refusal.refuseIf(
                transaction.getAsInt() < layers.outermost() && layers.proxies().size() > 1,
                "would be recorded as done before its transaction commits: another proxy creator, such as a"
                        + " BeanNameAutoProxyCreator, puts a TransactionInterceptor around bean \"" + beanName + "\"",
                "Put @Transactional on the method, and take the bean off that proxy creator");
        throw refusal.refused(
                "would be recorded as done before its transaction commits: nothing can be put around"
                        + " @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)",
                "Give @EnableTransactionManagement a larger order, or none");
    }

    /** Checks that each proxy overrides the method: one that could not be defined beside the class overrides fewer methods. */
    public void checkOverridden() {
        for (Advised proxy : layers.proxies()) {
            refusal.refuseIf(
                    AopUtils.isCglibProxy(proxy) && !Reachability.isVisible(method, proxy.getClass()),
                    "is package-private, and the proxy of bean \"" + beanName
                            + "\" belongs to another package or class loader, from which it cannot be overridden",
                    "Make it protected or public");
        }
    }

    /** Returns what proxies call around the deciding interceptor, but for what Spring brings that calls nothing of the application. */
    public Stream<String> outside() {
        return layers.advisors().stream()
                .takeWhile(advisor -> !deciding.isInstance(advisor))
                .filter(advisor -> ProxyLayers.applies(advisor, method, type))
                .map(Advisor::getAdvice)
                .filter(advice ->
                        CALLS_NOTHING.stream().noneMatch(advice.getClass().getName()::startsWith))
                .map(advice -> advice instanceof AbstractAspectJAdvice aspect
                        ? "aspect " + aspect.getAspectName()
                        : advice.getClass().getName());
    }

    /** Returns whether a proxy asks for the caller's authority only inside the deciding interceptor. */
    boolean authorizesInside() {
        return isInside(this::authorizes);
    }

    /** Returns whether an advisor of a kind is behind the deciding interceptor. */
    private boolean isInside(Predicate<Advisor> kind) {
        int decision = first(deciding::isInstance).orElse(Integer.MAX_VALUE);
        return layers.advisors().stream().skip(decision + 1L).anyMatch(kind);
    }

    /** Returns whether an advisor is Spring Security's, which is named by text, since applications may be without it. */
    private boolean authorizes(Advisor advisor) {
        return Stream.of(advisor, advisor.getAdvice())
                        .flatMap(part -> ClassUtils.getAllInterfacesAsSet(part).stream())
                        .anyMatch(part -> part.getName().equals(AUTHORIZATION))
                && ProxyLayers.applies(advisor, method, type);
    }

    /** Returns whether a proxy calls the method on another thread, as by {@code @Async}. */
    public boolean runsElsewhere() {
        return first(this::handsOver).isPresent();
    }

    /** Returns whether the method runs in a transaction apart from its caller's, or in none. */
    boolean runsApart() {
        return layers.runApart(method, type);
    }

    /** Returns whether a proxy hands the call to another thread inside the deciding interceptor. */
    boolean handsOverInside() {
        return isInside(this::handsOver);
    }

    /**
     * Checks the transactions that proxies ask for inside the one that an inbox opens for the method. They join it, and
     * what they ask for beyond that would be ignored, or refused for every call. A retry inside of it would commit what
     * the failed calls wrote.
     */
    public void checkInsideInbox() {
        layers.transactions(method, type).forEach(this::requireJoining);
        refusal.refuseIf(
                isInside(advisor ->
                        Retries.repeats(advisor, method, type) && ProxyLayers.applies(advisor, method, type)),
                "runs in the transaction of its inbox, and is called again there after a failure, so that what a"
                        + " failed call wrote would be committed too",
                "Give the retry an order below that of the guard, such as 0: @EnableRetry(order = 0), or"
                        + " resilience4j.retry.retry-aspect-order=0");
    }

    /** Refuses a transaction around work that ends in a transaction of its own. */
    public void checkOutsideOfTransactions() {
        layers.transactions(method, type).findFirst().ifPresent(asked -> {
            throw refusal.refused(
                    "opens the transaction of its inbox as its last phase, and its @Transactional, or that of its"
                            + " class, opens one around all of it (" + asked + ")",
                    "Remove @Transactional, and write to the database in inTransaction of the IdempotencyContext");
        });
    }

    private void requireJoining(Transactions.Asked asked) {
        refusal.refuseIf(
                !asked.joins(),
                "runs in the transaction of its inbox, and its @Transactional asks for work outside of it (" + asked
                        + ")",
                "Remove @Transactional or its propagation: the inbox has opened a transaction");
        refusal.refuseIf(
                !asked.plain(),
                "runs in the transaction of its inbox, in which isolation, timeout, readOnly and noRollbackFor of"
                        + " its @Transactional would be ignored (" + asked + ")",
                "Remove them; return where a failure should keep what was written; set the isolation of the pool"
                        + " (with HikariCP: spring.datasource.hikari.transaction-isolation), and the timeout of the"
                        + " transaction manager (spring.transaction.default-timeout)");
    }

    private boolean handsOver(Advisor advisor) {
        return advisor.getAdvice() instanceof AsyncExecutionInterceptor && ProxyLayers.applies(advisor, method, type);
    }

    private OptionalInt first(Predicate<Advisor> kind) {
        List<Advisor> advisors = layers.advisors();
        return IntStream.range(0, advisors.size())
                .filter(index -> kind.test(advisors.get(index)))
                .findFirst();
    }
}
