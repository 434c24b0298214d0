package io.idem.workshop.chaos.worker;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.kafka.annotation.KafkaListener;

/** The listeners whose only store is the inbox. Their annotations do not ask for it. */
@ConditionalOnProperty(name = "idem.store", havingValue = "inbox")
class AloneLanes {

    private final Effects effects;

    AloneLanes(Effects effects) {
        this.effects = effects;
    }

    @RabbitListener(queues = "rabbit-alone")
    @IdempotentListener(scope = "rabbit-alone")
    void onRabbit(byte[] body, IdempotencyContext attempt) {
        effects.write(Lane.RABBIT_ALONE, body, attempt);
    }

    @KafkaListener(topics = "kafka-alone", groupId = "kafka-alone")
    @IdempotentListener(scope = "kafka-alone")
    void onKafka(byte[] body, IdempotencyContext attempt) {
        effects.write(Lane.KAFKA_ALONE, body, attempt);
    }
}
