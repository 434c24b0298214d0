package io.idem.examples.setnx;

import java.time.Duration;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.data.redis.core.StringRedisTemplate;

class PaymentsBefore {

    private final StringRedisTemplate redis;
    private final Ledger ledger;

    PaymentsBefore(StringRedisTemplate redis, Ledger ledger) {
        this.redis = redis;
        this.ledger = ledger;
    }

    @RabbitListener(queues = "payments")
    void pay(Payment payment) {
        String marker = "paid:" + payment.id();
        if (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(marker, "1", Duration.ofDays(1)))) {
            return; // seen before: acknowledged
        }
        try {
            ledger.book(payment);
        } catch (RuntimeException failed) {
            redis.delete(marker);
            throw failed;
        }
    }
}
