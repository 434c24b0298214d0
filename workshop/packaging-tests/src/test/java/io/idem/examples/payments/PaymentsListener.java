package io.idem.examples.payments;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Nobody need wait for the future: the template holds COMPLETED back until Kafka has confirmed. */
@SuppressWarnings("FutureReturnValueIgnored")
@Component
class PaymentsListener {

    private final Provider provider;
    private final JdbcClient jdbc;
    private final PropagatingKafkaTemplate<String, Object> kafka;

    PaymentsListener(Provider provider, JdbcClient jdbc, PropagatingKafkaTemplate<String, Object> kafka) {
        this.provider = provider;
        this.jdbc = jdbc;
        this.kafka = kafka;
    }

    @RabbitListener(queues = "payments.requested")
    @IdempotentListener(scope = "payments", inbox = true, rejectOn = CardRefusedException.class)
    void requested(PaymentRequested payment, IdempotencyContext attempt) {
        String paymentId = attempt.key().id(); // what the intake answered; the same in every attempt
        String reference = provider.charge(paymentId, payment);
        jdbc.sql("INSERT INTO ledger (payment_id, account, amount, currency, reference) VALUES (?, ?, ?, ?, ?)")
                .params(paymentId, payment.account(), payment.amount(), payment.currency(), reference)
                .update();
        kafka.send(
                "payment.settled",
                paymentId,
                new PaymentSettled(paymentId, payment.account(), payment.amount(), payment.currency()));
    }
}
