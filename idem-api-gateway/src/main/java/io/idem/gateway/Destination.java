package io.idem.gateway;

import java.util.function.Function;

/** Where a request is handed off to. */
public sealed interface Destination {

    /** An exchange of RabbitMQ; empty text for the default exchange, whose routing keys are queues. */
    static Destination exchange(String exchange, String routingKey) {
        return new Exchange(exchange, routingKey);
    }

    /** A topic of Kafka, partitioned by the idempotency key. */
    static Destination topic(String topic) {
        return new Topic(topic, request -> request.key().value());
    }

    /** A topic of Kafka, partitioned by something that the request says. */
    static Destination topic(String topic, Function<IntakeRequest, String> partitionKey) {
        return new Topic(topic, partitionKey);
    }

    /**
     * RabbitMQ.
     *
     * @param name of the exchange
     * @param routingKey of every message
     */
    record Exchange(String name, String routingKey) implements Destination {}

    /**
     * Kafka.
     *
     * @param name of the topic
     * @param partitionKey key of a request's record; the same in every attempt
     */
    record Topic(String name, Function<IntakeRequest, String> partitionKey) implements Destination {}
}
