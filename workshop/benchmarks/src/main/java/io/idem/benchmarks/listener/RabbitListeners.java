package io.idem.benchmarks.listener;

import io.idem.consumer.IdempotentListener;
import java.util.List;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

/** The listeners that are compared. */
final class RabbitListeners {

    private static final String QUEUE = "${bench.queue}";
    private static final String SCOPE = "bench";

    private RabbitListeners() {}

    /** Does nothing, a batch at a time. */
    record BareBatch(Meter meter) {

        @RabbitListener(queues = QUEUE)
        void on(List<Message> messages) {
            meter.done(messages.size());
        }
    }

    /** Guarded, a batch at a time. */
    static class GuardedBatch {

        private final Meter meter;

        GuardedBatch(Meter meter) {
            this.meter = meter;
        }

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = SCOPE)
        void on(List<Message> messages) {
            meter.done(messages.size());
        }
    }

    /** Does nothing, a message at a time. */
    record BareMessage(Meter meter) {

        @RabbitListener(queues = QUEUE)
        void on(Message message) {
            meter.done(1);
        }
    }

    /** Guarded, a message at a time. */
    static class GuardedMessage {

        private final Meter meter;

        GuardedMessage(Meter meter) {
            this.meter = meter;
        }

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = SCOPE)
        void on(Message message) {
            meter.done(1);
        }
    }

    /** Bare, a message at a time, with a millisecond of work. */
    record BareMillisecond(Meter meter) {

        @RabbitListener(queues = QUEUE)
        void on(Message message) {
            Millisecond.work();
            meter.done(1);
        }
    }

    /** Guarded, a message at a time, with a millisecond of work. */
    static class GuardedMillisecond {

        private final Meter meter;

        GuardedMillisecond(Meter meter) {
            this.meter = meter;
        }

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = SCOPE)
        void on(Message message) {
            Millisecond.work();
            meter.done(1);
        }
    }
}
