package io.idem.workshop.chaos.worker;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.transaction.annotation.Transactional;

/** The listeners on RabbitMQ. */
@ConditionalOnProperty(name = "idem.store", havingValue = "redis", matchIfMissing = true)
class RabbitLanes {

    private final Effects effects;

    RabbitLanes(Effects effects) {
        this.effects = effects;
    }

    @RabbitListener(queues = "rabbit-inbox")
    @IdempotentListener(scope = "rabbit-inbox", inbox = true)
    void withInbox(byte[] body, IdempotencyContext attempt) {
        effects.write(Lane.RABBIT_INBOX, body, attempt);
    }

    @RabbitListener(queues = "rabbit-redis")
    @IdempotentListener(scope = "rabbit-redis")
    @Transactional
    void withRedisAlone(byte[] body, IdempotencyContext attempt) {
        effects.write(Lane.RABBIT_REDIS, body, attempt);
    }
}
