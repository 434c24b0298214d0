package io.idem.workshop.chaos.stage;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Tenant;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Messages as somebody other than the intake sees them. */
final class OutsideMessages {

    private OutsideMessages() {}

    static Map<String, Object> headers(String key) {
        return Messages.headers(Tenant.NORTH.name(), key);
    }

    static AMQP.BasicProperties properties(String key, int deliveryMode) {
        return new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(deliveryMode)
                .headers(headers(key))
                .build();
    }

    static byte[] bytes(String body) {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    static String key(GetResponse message) {
        return String.valueOf(message.getProps().getHeaders().get("x-idempotency-key"));
    }

    /** The queue it was dead-lettered from: the lane is part of every key. */
    static String origin(GetResponse dead) {
        return laneOf(key(dead));
    }

    /** Keys read {@code run.phase.lane.number}. */
    static String laneOf(String key) {
        return key.split("\\.", 4)[2];
    }
}
