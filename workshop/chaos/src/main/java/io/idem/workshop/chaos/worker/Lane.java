package io.idem.workshop.chaos.worker;

import java.util.Locale;

/**
 * A broker and a mode: with the inbox, with Redis alone, or with the inbox alone. Each lane has its own queue or topic,
 * listener and scope, and its own route where there is an intake.
 */
public enum Lane {
    /** RabbitMQ with the inbox. */
    RABBIT_INBOX(true, true, StoreKind.REDIS),
    /** RabbitMQ with Redis alone. */
    RABBIT_REDIS(true, false, StoreKind.REDIS),
    /** Kafka with the inbox. */
    KAFKA_INBOX(false, true, StoreKind.REDIS),
    /** Kafka with Redis alone. */
    KAFKA_REDIS(false, false, StoreKind.REDIS),
    /** RabbitMQ with the inbox alone. */
    RABBIT_ALONE(true, true, StoreKind.INBOX),
    /** Kafka with the inbox alone. */
    KAFKA_ALONE(false, true, StoreKind.INBOX);

    private final boolean rabbit;
    private final boolean inbox;
    private final StoreKind store;

    Lane(boolean rabbit, boolean inbox, StoreKind store) {
        this.rabbit = rabbit;
        this.inbox = inbox;
        this.store = store;
    }

    /** Returns the store of the workers that have the lane. */
    public StoreKind store() {
        return store;
    }

    /** Returns whether the lane uses RabbitMQ; otherwise it uses Kafka. */
    public boolean rabbit() {
        return rabbit;
    }

    /** Returns whether the listener has the inbox; otherwise Redis alone protects it. */
    public boolean inbox() {
        return inbox;
    }

    /** Returns whether the work has steps, which the inbox refuses. */
    public boolean steps() {
        return !inbox;
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
