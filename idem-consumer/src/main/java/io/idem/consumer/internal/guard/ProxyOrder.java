package io.idem.consumer.internal.guard;

import java.util.Arrays;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

/**
 * Order of idempotent work among the other advisors of a bean: outside of transactions, whatever
 * {@code @EnableTransactionManagement(order = …)} says, and otherwise as far inside as that allows.
 */
final class ProxyOrder {

    private final ConfigurableListableBeanFactory beans;

    ProxyOrder(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Computed whenever a proxy is made, since transactions may be set up after the first of them. */
    int value() {
        return Arrays.stream(beans.getBeanNamesForType(BeanFactoryTransactionAttributeSourceAdvisor.class, true, false))
                // Like the proxy creator: a proxy that is needed to make the advisor cannot have it.
                .filter(name -> !beans.isCurrentlyInCreation(name))
                .map(name -> beans.getBean(name, BeanFactoryTransactionAttributeSourceAdvisor.class))
                .mapToInt(advisor -> justBefore(advisor.getOrder()))
                .reduce(IdempotentListenerAdvisor.ORDER, Math::min);
    }

    private static int justBefore(int order) {
        return order == Integer.MIN_VALUE ? order : order - 1;
    }
}
