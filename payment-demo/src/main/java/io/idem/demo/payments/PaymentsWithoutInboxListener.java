package io.idem.demo.payments;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.demo.messaging.PaymentQueues;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * The payment listener without the inbox, protected by Redis alone. For comparison. A crash after the commit and before
 * COMPLETED makes the next owner write the payment again, and an event may be published although the transaction is rolled
 * back after it.
 */
@Component
@Profile("payments & no-inbox")
class PaymentsWithoutInboxListener {

    private final Payments payments;

    PaymentsWithoutInboxListener(Payments payments) {
        this.payments = payments;
    }

    @RabbitListener(queues = PaymentQueues.PAYMENTS)
    @IdempotentListener(scope = "payments")
    @Transactional
    void requested(PaymentRequested payment, IdempotencyContext attempt) {
        payments.settle(payment, payments.charge(payment, attempt), attempt);
    }
}
