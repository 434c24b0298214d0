package io.idem.consumer.internal.kafka.message;

/** Names that Kafka messages need beyond the headers that all transports share. */
public final class KafkaMessageHeaders {

    /** Kafka has no message id of its own: this header stands for it, in UTF-8. */
    public static final String MESSAGE_ID = "message-id";

    /** Name of the transport in events and inbox rows. */
    public static final String TRANSPORT = "kafka";

    private KafkaMessageHeaders() {}
}
