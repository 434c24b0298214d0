package io.idem.workshop.chaos.worker;

import java.util.Locale;

/** A broker and a mode: each has a route at the intake, a queue or topic, a listener and a scope of its own. */
public enum Lane {
    /** RabbitMQ, with the inbox. */
    RABBIT_INBOX(true, true),
    /** RabbitMQ, Redis alone. */
    RABBIT_REDIS(true, false),
    /** Kafka, with the inbox. */
    KAFKA_INBOX(false, true),
    /** Kafka, Redis alone. */
    KAFKA_REDIS(false, false);

    private final boolean rabbit;
    private final boolean inbox;

    Lane(boolean rabbit, boolean inbox) {
        this.rabbit = rabbit;
        this.inbox = inbox;
    }

    /** Whether it goes over RabbitMQ; otherwise over Kafka. */
    public boolean rabbit() {
        return rabbit;
    }

    /** Whether its listener has the inbox; otherwise Redis alone protects it. */
    public boolean inbox() {
        return inbox;
    }

    /** Name of its queue or topic, its routing key, its consumer group and its scope. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Where the intake takes its requests. */
    public String path() {
        return "/v1/" + id();
    }

    /** The lane of a key; keys read {@code run.phase.lane.number}. */
    public static Lane ofKey(String key) {
        return of(key.split("\\.", 4)[2]);
    }

    /** The lane of a queue, topic or scope. */
    public static Lane of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
