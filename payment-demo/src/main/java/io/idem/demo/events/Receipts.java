package io.idem.demo.events;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.demo.messaging.Topics;
import io.idem.demo.payments.PaymentSettled;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Writes a receipt for every settled payment. */
@Component
@Profile("receipts")
class Receipts {

    private final JdbcClient jdbc;

    Receipts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @KafkaListener(topics = Topics.PAYMENT_SETTLED, groupId = "receipts")
    @IdempotentListener(scope = "receipts", inbox = true)
    void settled(PaymentSettled payment, IdempotencyContext attempt) {
        jdbc.sql("""
                        INSERT INTO receipts (payment_id, tenant, idempotency_key, amount, text)
                        VALUES (:paymentId, :tenant, :key, :amount, :text)
                        """)
                .param("paymentId", payment.paymentId())
                .param("tenant", attempt.key().tenant())
                .param("key", attempt.root())
                .param("amount", payment.amount())
                .param("text", "Received from " + payment.account() + ", with thanks")
                .update();
    }
}
