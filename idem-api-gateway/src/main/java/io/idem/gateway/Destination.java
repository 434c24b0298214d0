package io.idem.gateway;

import java.util.function.Function;

/** The destination of a hand-off. Immutable. */
public sealed interface Destination {

    /** Returns an exchange of RabbitMQ; an empty name is the default exchange, whose routing keys are queues. */
    static Destination exchange(String exchange, String routingKey) {
        return new Exchange(exchange, routingKey);
    }

    /** Returns a topic of Kafka, partitioned by the idempotency key. */
    static Destination topic(String topic) {
        return new Topic(topic, request -> request.key().value());
    }

    /** Returns a topic of Kafka, partitioned by a value of the request. */
    static Destination topic(String topic, Function<IntakeRequest, String> partitionKey) {
        return new Topic(topic, partitionKey);
    }

    /**
     * An exchange of RabbitMQ.
     *
     * @param name the name of the exchange
     * @param routingKey the routing key of every message
     */
    record Exchange(String name, String routingKey) implements Destination {}

    /**
     * A topic of Kafka.
     *
     * @param name the name of the topic
     * @param partitionKey returns the Kafka key for a request; must be the same in every attempt
     */
    record Topic(String name, Function<IntakeRequest, String> partitionKey) implements Destination {}
}
