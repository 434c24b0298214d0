package io.idem.examples.payments;

import io.idem.IdempotencyContext;
import io.idem.InboxTransaction;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepFinding;
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
    @IdempotentListener(
            scope = "payments",
            inbox = true,
            transaction = InboxTransaction.LAST_PHASE,
            rejectOn = CardRefusedException.class)
    void requested(PaymentRequested payment, IdempotencyContext attempt) {
        Step<Charge> step = Step.of("charge", Charge.class).reconciledBy(this::find);
        Charge charge = attempt.step(step, call -> provider.charge(call.key(), payment)); // no transaction is open
        attempt.inTransaction(() -> book(attempt.key().id(), payment, charge)); // commits when the method has returned
    }

    /** Asked in every attempt but the first, unless the result of the step is known. */
    private StepFinding<Charge> find(StepContext step) {
        return provider.find(step.key()).map(StepFinding::done).orElseGet(StepFinding::notDone);
    }

    /** The payment's id is what the intake answered; the same in every attempt. */
    private Charge book(String paymentId, PaymentRequested payment, Charge charge) {
        jdbc.sql("INSERT INTO ledger (payment_id, account, amount, currency, reference) VALUES (?, ?, ?, ?, ?)")
                .params(paymentId, payment.account(), payment.amount(), payment.currency(), charge.reference())
                .update();
        kafka.send(
                "payment.settled",
                paymentId,
                new PaymentSettled(paymentId, payment.account(), payment.amount(), payment.currency()));
        return charge;
    }
}
