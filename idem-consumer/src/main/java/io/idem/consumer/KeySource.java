package io.idem.consumer;

/** A place of a message where its key may be found without an expression. */
public enum KeySource {
    /** {@link IdempotencyHeaders#KEY}, then {@link IdempotencyHeaders#STANDARD_KEY}. */
    HEADERS,
    /** The message id. Only for producers that keep it when they send a message again. */
    MESSAGE_ID,
    /**
     * {@code source} and {@code id} of a CloudEvent, which together identify the event: in binary mode, or in
     * structured mode as {@code application/cloudevents+json}, which needs Jackson 3. An event without one of them has
     * an invalid key.
     */
    CLOUD_EVENTS,
    /**
     * Position at which a Kafka record was written first: topic, partition, offset and timestamp, from the original
     * headers in a retry topic. Finds what the broker delivers again, not what a producer sends again. Messages of
     * RabbitMQ have none.
     */
    POSITION
}
