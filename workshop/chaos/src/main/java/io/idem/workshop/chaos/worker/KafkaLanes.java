package io.idem.workshop.chaos.worker;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.annotation.Transactional;

/** The listeners on Kafka. */
@ConditionalOnProperty(name = "idem.store", havingValue = "redis", matchIfMissing = true)
class KafkaLanes {

    private final Effects effects;

    KafkaLanes(Effects effects) {
        this.effects = effects;
    }

    @KafkaListener(topics = "kafka-inbox", groupId = "kafka-inbox")
    @IdempotentListener(scope = "kafka-inbox", inbox = true)
    void withInbox(byte[] body, IdempotencyContext attempt) {
        effects.write(Lane.KAFKA_INBOX, body, attempt);
    }

    @KafkaListener(topics = "kafka-redis", groupId = "kafka-redis")
    @IdempotentListener(scope = "kafka-redis")
    @Transactional
    void withRedisAlone(byte[] body, IdempotencyContext attempt) {
        effects.write(Lane.KAFKA_REDIS, body, attempt);
    }
}
