package io.idem.workshop.chaos.worker;

import java.util.Locale;

/**
 * A broker and a mode, with or without inbox. Each lane has its own route at the intake, queue or topic, listener and
 * scope.
 */
public enum Lane {
    /** RabbitMQ with the inbox. */
    RABBIT_INBOX(true, true),
    /** RabbitMQ with Redis alone. */
    RABBIT_REDIS(true, false),
    /** Kafka with the inbox. */
    KAFKA_INBOX(false, true),
    /** Kafka with Redis alone. */
    KAFKA_REDIS(false, false);

    private final boolean rabbit;
    private final boolean inbox;

    Lane(boolean rabbit, boolean inbox) {
        this.rabbit = rabbit;
        this.inbox = inbox;
    }

    /** Returns whether the lane uses RabbitMQ; otherwise it uses Kafka. */
    public boolean rabbit() {
        return rabbit;
    }

    /** Returns whether the listener has the inbox; otherwise Redis alone protects it. */
    public boolean inbox() {
        return inbox;
    }

    /** Returns the name of the queue or topic, the routing key, the consumer group and the scope. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the path of the intake's route. */
    public String path() {
        return "/v1/" + id();
    }

    /** Returns the lane of a key of the form {@code run.phase.lane.number}. */
    public static Lane ofKey(String key) {
        return of(key.split("\\.", 4)[2]);
    }

    /** Returns the lane of a queue, topic or scope. */
    public static Lane of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
