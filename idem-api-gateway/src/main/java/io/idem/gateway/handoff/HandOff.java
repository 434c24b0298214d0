package io.idem.gateway.handoff;

import io.idem.gateway.Destination;
import io.idem.gateway.HandOffFailedException;
import io.idem.gateway.IntakeRequest;
import io.idem.gateway.Middleware;
import io.idem.gateway.internal.handoff.KafkaPublisher;
import io.idem.gateway.internal.handoff.Probe;
import io.idem.gateway.internal.handoff.RabbitPublisher;
import io.idem.gateway.internal.intake.GatewayConfigurationException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Hands requests to a broker: the body as received, with its content type, under the client's key and with the operation's
 * {@linkplain IntakeRequest#id() id} as message id. Thread-safe.
 */
public final class HandOff {

    private final Supplier<RabbitPublisher> rabbit;
    private final Supplier<KafkaPublisher> kafka;
    private final Map<String, Probe> brokers = new ConcurrentHashMap<>();

    /** Each publisher is asked for when the first route needs it. */
    public HandOff(Supplier<RabbitPublisher> rabbit, Supplier<KafkaPublisher> kafka) {
        this.rabbit = rabbit;
        this.kafka = kafka;
    }

    /**
     * Publishes the request, then lets the next one answer: what follows knows that the message is durable. It blocks until then, and
     * throws {@link HandOffFailedException} otherwise. On a route with an
     * inbox the message is kept in the transaction instead, and leaves by the relay.
     *
     * @throws GatewayConfigurationException if that broker is not configured
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

    /** Whether the brokers answer that routes were made for so far, by a name for each. */
    public Map<String, Probe> brokers() {
        return Map.copyOf(brokers);
    }
}
