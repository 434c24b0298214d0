package io.idem.demo.supervisor;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.demo.messaging.PaymentQueues;
import io.idem.demo.story.DuplicateMessages;
import io.idem.demo.story.Kind;
import io.idem.demo.story.PlannedOperation;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.json.JsonMapper;

/** Publishes what the intake publishes, as a redelivering broker or a confused operator would. Thread-safe. */
final class Duplicates implements DuplicateMessages {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final AmqpQueues amqp;
    private final KafkaTopics kafka;
    private final AtomicInteger published = new AtomicInteger();

    Duplicates(AmqpQueues amqp, KafkaTopics kafka) {
        this.amqp = amqp;
        this.kafka = kafka;
    }

    @Override
    public void publish(PlannedOperation operation) {
        Map<String, Object> headers = Map.of(
                IdempotencyHeaders.KEY, operation.key().value(),
                IdempotencyHeaders.ROOT, operation.key().value(),
                IdempotencyHeaders.TENANT, operation.key().tenant());
        byte[] body = JSON.writeValueAsBytes(operation.body());
        if (operation.kind() == Kind.PAYMENT) {
            amqp.publish(PaymentQueues.EXCHANGE, PaymentQueues.REQUESTED, headers, body);
        } else {
            kafka.publishPayout(operation.key().id(), headers, body);
        }
        published.incrementAndGet();
    }

    @Override
    public int published() {
        return published.get();
    }
}
