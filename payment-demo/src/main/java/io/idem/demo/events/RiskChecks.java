package io.idem.demo.events;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.demo.messaging.Topics;
import io.idem.demo.payments.PaymentSettled;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Rates the risk of every settled payment, independently of {@link Receipts}: another group, another scope. */
@Component
@Profile("risk")
class RiskChecks {

    private static final long LARGE_AMOUNT = 50_000;

    private final JdbcClient jdbc;

    RiskChecks(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @KafkaListener(topics = Topics.PAYMENT_SETTLED, groupId = "risk")
    @IdempotentListener(scope = "risk", inbox = true)
    void settled(PaymentSettled payment, IdempotencyContext attempt) {
        jdbc.sql("""
                        INSERT INTO risk_checks (payment_id, tenant, idempotency_key, amount, rating)
                        VALUES (:paymentId, :tenant, :key, :amount, :rating)
                        """)
                .param("paymentId", payment.paymentId())
                .param("tenant", attempt.key().tenant())
                .param("key", attempt.root())
                .param("amount", payment.amount())
                .param("rating", payment.amount() > LARGE_AMOUNT ? "look closer" : "fine")
                .update();
    }
}
