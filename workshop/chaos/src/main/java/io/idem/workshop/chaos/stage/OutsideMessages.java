package io.idem.workshop.chaos.stage;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Tenant;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Creates and reads messages outside of the intake and the workers. */
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

    /** Returns the name of the lane, and so of the queue, from the key of a dead letter. */
    static String origin(GetResponse dead) {
        return laneOf(key(dead));
    }

    /** Returns the name of the lane in a key of the form {@code run.phase.lane.number}. */
    static String laneOf(String key) {
        return key.split("\\.", 4)[2];
    }
}
