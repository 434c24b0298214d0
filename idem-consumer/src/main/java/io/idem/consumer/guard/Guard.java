package io.idem.consumer.guard;

import io.idem.consumer.ListenerConfigurationException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** The proxy around one idempotent listener method: whether it is there, and has its parts in an order that works. */
record Guard(List<Advisor> advisors, String beanName, Method method) {

    static Guard of(Object bean, String beanName, Method method) {
        List<Advisor> advisors = bean instanceof Advised proxy ? List.of(proxy.getAdvisors()) : List.of();
        return new Guard(advisors, beanName, method);
    }

    /** @throws ListenerConfigurationException if the method would run unguarded, or be recorded before it is committed */
    void check() {
        int own = first(IdempotentListenerAdvisor.class::isInstance);
        if (own == advisors.size()) {
            throw new ListenerConfigurationException(
                    method,
                    "is not guarded: bean \"" + beanName + "\" was created before proxies could be made for it",
                    "Do not let a BeanPostProcessor or BeanFactoryPostProcessor depend on the bean");
        }
        if (first(this::startsTransaction) < own) {
            throw new ListenerConfigurationException(
                    method,
                    "would be recorded as done before its transaction commits: nothing can be put around"
                            + " @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)",
                    "Give @EnableTransactionManagement a larger order, or none");
        }
    }

    private int first(Predicate<Advisor> kind) {
        return IntStream.range(0, advisors.size())
                .filter(index -> kind.test(advisors.get(index)))
                .findFirst()
                .orElse(advisors.size());
    }

    private boolean startsTransaction(Advisor advisor) {
        return advisor.getAdvice() instanceof TransactionInterceptor
                && advisor instanceof PointcutAdvisor pointcut
                && pointcut.getPointcut().getMethodMatcher().matches(method, method.getDeclaringClass());
    }
}
