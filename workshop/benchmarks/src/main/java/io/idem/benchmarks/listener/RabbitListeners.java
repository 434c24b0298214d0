package io.idem.benchmarks.listener;

import io.idem.consumer.IdempotentListener;
import java.util.List;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** The RabbitMQ listeners that are compared. */
final class RabbitListeners {

    private static final String QUEUE = "${bench.queue}";
    private static final String SCOPE = "bench";

    private RabbitListeners() {}

    /** A bare batch listener that does nothing. */
    record BareBatch(Meter meter) {

        @RabbitListener(queues = QUEUE)
        void on(List<Message> messages) {
            meter.done(messages.size());
        }
    }

    /** A guarded batch listener that does nothing. */
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

    /** A bare message listener that does nothing. */
    record BareMessage(Meter meter) {

        @RabbitListener(queues = QUEUE)
        void on(Message message) {
            meter.done(1);
        }
    }

    /** A guarded message listener that does nothing. */
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

    /** A bare message listener that works for a millisecond. */
    record BareMillisecond(Meter meter) {

        @RabbitListener(queues = QUEUE)
        void on(Message message) {
            Millisecond.work();
            meter.done(1);
        }
    }

    /** A guarded message listener that works for a millisecond. */
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

    /** A bare message listener that works for a millisecond and writes a row. */
    static class BareRow {

        private final Meter meter;
        private final MillisecondAndRow row;

        BareRow(Meter meter, JdbcTemplate jdbc, PlatformTransactionManager transactions) {
            this.meter = meter;
            this.row = new MillisecondAndRow(jdbc, transactions);
        }

        @RabbitListener(queues = QUEUE)
        void on(Message message) {
            row.work();
            meter.done(1);
        }
    }

    /** A guarded message listener that works for a millisecond and writes a row. */
    static class GuardedRow {

        private final Meter meter;
        private final MillisecondAndRow row;

        GuardedRow(Meter meter, JdbcTemplate jdbc, PlatformTransactionManager transactions) {
            this.meter = meter;
            this.row = new MillisecondAndRow(jdbc, transactions);
        }

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = SCOPE)
        void on(Message message) {
            row.work();
            meter.done(1);
        }
    }
}
