package io.idem.workshop.process;

import static io.idem.workshop.process.Waiting.waitUntil;

import com.rabbitmq.client.GetResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Publishes messages that do not come from the intake. */
public final class Messages {

    /** The queue of dead payments. */
    public static final String DEAD_PAYMENTS = "payments.dead";

    private Messages() {}

    /** Returns the headers that a producer with idem writes. */
    public static Map<String, Object> headers(String tenant, String key) {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("x-idempotency-key", key);
        headers.put("x-idempotency-tenant", tenant);
        headers.put("x-idempotency-root", key);
        return headers;
    }

    /** Publishes a payment as the intake does; returns when it is confirmed. */
    public static void publishPayment(World world, Map<String, Object> headers, String body) {
        world.queues().publish("payments", "payment.requested", headers, body);
    }

    /** Takes dead payments until one matches; those before it are removed too. */
    public static void awaitDeadPayment(World world, String which, Predicate<GetResponse> meant) {
        waitUntil("a dead letter " + which)
                .until(() -> world.queues().take(DEAD_PAYMENTS).filter(meant).isPresent());
    }

    /** Publishes a payout as the intake does; returns when it is confirmed. */
    public static void publishPayout(World world, Map<String, Object> headers, String body) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>("payouts.requested", body.getBytes(StandardCharsets.UTF_8));
        headers.forEach((name, value) -> message.headers().add(name, bytes(value)));
        world.topics().publish(message);
    }

    /** Appends a record of tenant north for each key to a topic, in one batch. */
    public static void publishTogether(World world, String topic, List<String> keys) {
        List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>(keys.size());
        for (String key : keys) {
            ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, bytes("message of " + key));
            headers("north", key).forEach((name, value) -> message.headers().add(name, bytes(value)));
            messages.add(message);
        }
        world.topics().publishTogether(messages);
    }

    private static byte[] bytes(Object value) {
        return value instanceof byte[] raw ? raw : value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
