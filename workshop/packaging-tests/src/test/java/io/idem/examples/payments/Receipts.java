package io.idem.examples.payments;

import io.idem.consumer.IdempotentListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
class Receipts {

    private final JdbcClient jdbc;

    Receipts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @KafkaListener(topics = "payment.settled", groupId = "receipts")
    @IdempotentListener(scope = "receipts", inbox = true)
    void settled(PaymentSettled payment) {
        jdbc.sql("INSERT INTO receipts (payment_id, text) VALUES (?, ?)")
                .params(payment.paymentId(), "Received from " + payment.account() + ", with thanks")
                .update();
    }
}
