package io.idem.consumer.internal.rabbit.container;

import java.util.List;
import org.aopalliance.aop.Advice;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Refuses advices of a container inside of which no idempotent work can stand. */
record AdviceChainCheck(IdempotentRabbitEndpoint endpoint, List<Advice> chain) {

    /**
     * Checks the advices.
     *
     * @throws io.idem.consumer.ListenerConfigurationException names listener and remedy
     */
    void check() {
        if (chain.stream().anyMatch(TransactionInterceptor.class::isInstance)) {
            throw endpoint.refused(
                    "is delivered to inside a TransactionInterceptor in the advice chain of its container, whose transaction"
                            + " would commit only after the work was recorded as done",
                    "Remove it from the advice chain and put @Transactional on the method, or give the transaction manager to"
                            + " the container factory");
        }
    }
}
