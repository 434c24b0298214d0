package io.idem.gateway.handoff;

import io.idem.ConfigurationException;
import io.idem.gateway.Destination;
import io.idem.gateway.HandOffFailedException;
import io.idem.gateway.IntakeRequest;
import io.idem.gateway.Middleware;
import io.idem.gateway.internal.handoff.KafkaPublisher;
import io.idem.gateway.internal.handoff.Probe;
import io.idem.gateway.internal.handoff.RabbitPublisher;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Hands requests to a broker: the body as received, with its content type, under the client's key and with the
 * operation's {@linkplain IntakeRequest#id() id} as message id. Thread-safe.
 */
public final class HandOff {

    private final Supplier<RabbitPublisher> rabbit;
    private final Supplier<KafkaPublisher> kafka;
    private final Map<String, Probe> brokers = new ConcurrentHashMap<>();

    /** Creates a hand-off that obtains each publisher when the first route needs it. */
    public HandOff(Supplier<RabbitPublisher> rabbit, Supplier<KafkaPublisher> kafka) {
        this.rabbit = rabbit;
        this.kafka = kafka;
    }

    /**
     * Returns a middleware that publishes the request, waits until the message is durable, and then calls the next
     * step. Blocks until the broker confirms, and throws {@link HandOffFailedException} otherwise. On a route with an
     * inbox the message is kept in the transaction instead, and sent by the relay.
     *
     * @throws ConfigurationException if the broker is not configured
     */
    public Middleware to(Destination destination) {
        if (destination instanceof Destination.Exchange exchange) {
            RabbitPublisher publisher = rabbit.get();
            brokers.put("rabbit", publisher::check);
            return (request, next) -> {
                publisher.publish(exchange, request);
                return next.handle(request);
            };
        }
        Destination.Topic topic = (Destination.Topic) destination;
        KafkaPublisher publisher = kafka.get();
        brokers.put("kafka", publisher::check);
        return (request, next) -> {
            publisher.publish(topic, request);
            return next.handle(request);
        };
    }

    /** Returns a probe for each broker that routes have used so far, by its name. */
    public Map<String, Probe> brokers() {
        return Map.copyOf(brokers);
    }
}
