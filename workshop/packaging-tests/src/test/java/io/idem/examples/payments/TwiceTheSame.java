package io.idem.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import java.util.List;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

class TwiceTheSame {

    private final RabbitTemplate rabbit;
    private final JdbcClient jdbc;

    TwiceTheSame(RabbitTemplate rabbit, JdbcClient jdbc) {
        this.rabbit = rabbit;
        this.jdbc = jdbc;
    }

    void aPaymentThatComesTwiceIsBookedOnce() {
        send("try-1");
        send("try-1");
        send("try-2"); // with one consumer, its row shows that the two before it are through

        await().until(() -> booked().contains(IdempotencyKey.of("try-2").id()));
        assertThat(booked())
                .containsExactly(
                        IdempotencyKey.of("try-1").id(),
                        IdempotencyKey.of("try-2").id());
    }

    private void send(String key) {
        PaymentRequested payment = new PaymentRequested("account-1", 1250, "EUR");
        rabbit.convertAndSend("payments", "payment.requested", payment, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
            return message;
        });
    }

    private List<String> booked() {
        return jdbc.sql("SELECT payment_id FROM ledger ORDER BY id")
                .query(String.class)
                .list();
    }
}
