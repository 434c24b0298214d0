package io.idem.internal.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions around guarded methods. An application without spring-tx has none, and loads none of its classes. */
public final class Transactions {

    /**
     * Order of idempotent work outside of transactions, whose default is {@link Ordered#LOWEST_PRECEDENCE}, with free
     * numbers on both sides. Where the application gives transactions a smaller order, that of idempotent work is smaller
     * still.
     */
    public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

    private Transactions() {}

    /**
     * Returns the order of idempotent work among the other advisors of a bean: outside of transactions, whatever
     * {@code @EnableTransactionManagement(order = …)} says, and otherwise as far inside as that allows. To be asked whenever
     * a proxy is made, since transactions may be set up after the first of them.
     */
    public static int orderOutside(ConfigurableListableBeanFactory beans) {
        return Libraries.TRANSACTIONS ? Advice.orders(beans).reduce(ORDER, Math::min) : ORDER;
    }

    /** Returns whether the calling thread is inside a transaction. */
    public static boolean areActive() {
        return Libraries.TRANSACTIONS && Advice.active();
    }

    /** Returns what an advisor asks for around a method; empty if it begins no transaction. */
    static Optional<Asked> asked(Advisor advisor, Method method, Class<?> type) {
        return Libraries.TRANSACTIONS ? Advice.asked(advisor, method, type) : Optional.empty();
    }

    /**
     * A transaction that a proxy asks for.
     *
     * @param joins whether it takes part in a transaction that is there already
     * @param plain whether it leaves isolation, timeout and readOnly as they are, and commits after no failure that it names
     * @param text its definition, for messages
     */
    record Asked(boolean joins, boolean plain, String text) {

        @Override
        public String toString() {
            return text;
        }
    }

    /** The part that names classes of spring-tx. */
    private static final class Advice {

        private static IntStream orders(ConfigurableListableBeanFactory beans) {
            return Arrays.stream(
                            beans.getBeanNamesForType(BeanFactoryTransactionAttributeSourceAdvisor.class, true, false))
                    // Like the proxy creator: a proxy that is needed to make the advisor cannot have it.
                    .filter(name -> !beans.isCurrentlyInCreation(name))
                    .map(name -> beans.getBean(name, BeanFactoryTransactionAttributeSourceAdvisor.class))
                    .mapToInt(advisor -> Math.max(advisor.getOrder(), Integer.MIN_VALUE + 1) - 1);
        }

        private static boolean active() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        private static Optional<Asked> asked(Advisor advisor, Method method, Class<?> type) {
            return advisor.getAdvice() instanceof TransactionInterceptor transactions
                    ? Optional.ofNullable(transactions.getTransactionAttributeSource())
                            .map(attributes -> attributes.getTransactionAttribute(method, type))
                            .map(Advice::asked)
                    : Optional.empty();
        }

        private static Asked asked(TransactionAttribute attribute) {
            int propagation = attribute.getPropagationBehavior();
            boolean joins = propagation != TransactionDefinition.PROPAGATION_REQUIRES_NEW
                    && propagation != TransactionDefinition.PROPAGATION_NOT_SUPPORTED
                    && propagation != TransactionDefinition.PROPAGATION_NEVER;
            boolean plain = attribute.getIsolationLevel() == TransactionDefinition.ISOLATION_DEFAULT
                    && attribute.getTimeout() == TransactionDefinition.TIMEOUT_DEFAULT
                    && !attribute.isReadOnly()
                    && !(attribute instanceof RuleBasedTransactionAttribute ruled
                            && ruled.getRollbackRules().stream().anyMatch(NoRollbackRuleAttribute.class::isInstance));
            return new Asked(joins, plain, attribute.toString());
        }
    }
}
