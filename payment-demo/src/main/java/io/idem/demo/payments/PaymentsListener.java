package io.idem.demo.payments;

import io.idem.consumer.IdempotentListener;
import io.idem.demo.messaging.PaymentQueues;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Takes payments from RabbitMQ. With the inbox, the ledger row, the memory of the key and the event to publish are committed
 * in one transaction: a crash at any point neither loses nor repeats them.
 */
@Component
@Profile("payments & !no-inbox")
class PaymentsListener {

    private final Payments payments;

    PaymentsListener(Payments payments) {
        this.payments = payments;
    }

    @RabbitListener(queues = PaymentQueues.PAYMENTS)
    @IdempotentListener(scope = "payments", inbox = true)
    void requested(PaymentRequested payment) {
        payments.take(payment);
    }
}
