package io.idem.examples.setnx;

import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

@Component
class Markers {

    private final StringRedisTemplate redis;

    Markers(StringRedisTemplate redis) {
        this.redis = redis;
    }

    boolean isFromBefore(Payment payment) {
        return "1".equals(redis.opsForValue().get("paid:" + payment.id()));
    }

    /** For the way back: the version before takes the payment for done. */
    void leave(Payment payment) {
        redis.opsForValue().set("paid:" + payment.id(), "idem", Duration.ofDays(1));
    }
}
