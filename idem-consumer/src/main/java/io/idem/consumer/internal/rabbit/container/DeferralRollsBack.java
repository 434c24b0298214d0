package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.internal.rabbit.message.DeferredDeliveryException;
import org.springframework.transaction.interceptor.DelegatingTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * The transaction attribute of a container, under which a deferred delivery rolls back even for exceptions for which
 * the application commits.
 */
final class DeferralRollsBack extends DelegatingTransactionAttribute {

    private static final long serialVersionUID = 1;

    DeferralRollsBack(TransactionAttribute own) {
        super(own);
    }

    @Override
    public boolean rollbackOn(Throwable failure) {
        return DeferredDeliveryException.isCauseOf(failure) || super.rollbackOn(failure);
    }
}
