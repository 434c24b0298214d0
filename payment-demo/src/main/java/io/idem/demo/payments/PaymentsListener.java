package io.idem.demo.payments;

import io.idem.IdempotencyContext;
import io.idem.InboxTransaction;
import io.idem.consumer.IdempotentListener;
import io.idem.demo.messaging.PaymentQueues;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Takes payments from RabbitMQ. The bank is called in a step, without a transaction. After that the ledger row, the
 * memory of the key and the event to publish are committed in one transaction: a crash at any point neither loses nor
 * repeats them.
 */
@Component
@Profile("payments & !no-inbox")
class PaymentsListener {

    private final Payments payments;

    PaymentsListener(Payments payments) {
        this.payments = payments;
    }

    @RabbitListener(queues = PaymentQueues.PAYMENTS)
    @IdempotentListener(scope = "payments", inbox = true, transaction = InboxTransaction.LAST_PHASE)
    void requested(PaymentRequested payment, IdempotencyContext attempt) {
        String reference = payments.charge(payment, attempt);
        attempt.inTransaction(() -> payments.settle(payment, reference, attempt));
    }
}
