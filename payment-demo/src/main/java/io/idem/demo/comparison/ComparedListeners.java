package io.idem.demo.comparison;

import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The listeners of the comparison: one for each mode, both with the same work. */
@Component
@Profile("comparison")
class ComparedListeners {

    private final ComparedWork work;

    ComparedListeners(ComparedWork work) {
        this.work = work;
    }

    @RabbitListener(queues = ComparisonQueues.WITH_INBOX)
    @IdempotentListener(scope = ComparisonQueues.WITH_INBOX, inbox = true)
    void withInbox() {
        work.run();
    }

    @RabbitListener(queues = ComparisonQueues.REDIS_ALONE)
    @IdempotentListener(scope = ComparisonQueues.REDIS_ALONE)
    @Transactional
    void redisAlone() {
        work.run();
    }
}
