package io.idem.internal.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * The proxies that Spring has put around a bean, nested where an application has several proxy creators.
 *
 * @param proxies from the outermost on; none for a bean without proxies
 */
public record ProxyLayers(List<Advised> proxies) {

    public static ProxyLayers of(Object bean) {
        List<Advised> proxies = new ArrayList<>(1);
        @Nullable Object current = bean;
        while (current instanceof Advised proxy) {
            proxies.add(proxy);
            current = AopProxyUtils.getSingletonTarget(proxy);
        }
        return new ProxyLayers(List.copyOf(proxies));
    }

    /** Returns the advisors of all proxies in the order in which they are called. */
    List<Advisor> advisors() {
        return proxies.stream().flatMap(proxy -> Stream.of(proxy.getAdvisors())).toList();
    }

    /** Returns whether an advisor acts on a method of a class. */
    static boolean applies(Advisor advisor, Method method, Class<?> type) {
        return !(advisor instanceof PointcutAdvisor limited)
                || (limited.getPointcut().getClassFilter().matches(type)
                        && limited.getPointcut().getMethodMatcher().matches(method, type));
    }

    /** Returns what the proxies ask for in transactions around a method of a class, from the outermost on. */
    Stream<Transactions.Asked> transactions(Method method, Class<?> type) {
        return advisors().stream().flatMap(advisor -> transaction(advisor, method, type));
    }

    /** Returns what an advisor asks for in a transaction around a method of a class; none if it begins none. */
    static Stream<Transactions.Asked> transaction(Advisor advisor, Method method, Class<?> type) {
        return applies(advisor, method, type) ? Transactions.asked(advisor, method, type).stream() : Stream.empty();
    }

    /** Returns whether a method of a class runs in a transaction apart from its caller's, or in none. */
    boolean runApart(Method method, Class<?> type) {
        return transactions(method, type).anyMatch(asked -> !asked.joins());
    }

    /** Returns the number of advisors of the outermost proxy. */
    int outermost() {
        return proxies.isEmpty() ? 0 : proxies.get(0).getAdvisors().length;
    }

    /**
     * Keeps the deciding interceptor in the outermost proxy that has it: an inner one would take the call of an outer
     * one for another call of the method.
     *
     * @param deciding the class of the advisor that has the interceptor
     */
    public void decideOnce(Class<? extends Advisor> deciding) {
        boolean decided = false;
        for (Advised proxy : proxies) {
            List<Advisor> own =
                    Stream.of(proxy.getAdvisors()).filter(deciding::isInstance).toList();
            if (decided) {
                own.forEach(proxy::removeAdvisor);
            }
            decided |= !own.isEmpty();
        }
    }
}
