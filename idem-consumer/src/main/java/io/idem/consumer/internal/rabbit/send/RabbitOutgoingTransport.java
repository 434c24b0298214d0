package io.idem.consumer.internal.rabbit.send;

import io.idem.OutgoingMessage;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.rabbit.publish.PropagatingRabbitTemplate;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Publishes the messages that inbox rows kept to RabbitMQ, over the connection for which each was kept. Thread-safe.
 */
public final class RabbitOutgoingTransport implements OutgoingTransport {

    private final ObjectProvider<PropagatingRabbitTemplate> templates;
    private final RabbitConnections connections;
    private final Duration confirmTimeout;
    private final Map<ConnectionFactory, PropagatingRabbitTemplate> byConnection = new ConcurrentHashMap<>();

    /**
     * Makes a transport.
     *
     * @param templates of the application; they also apply their own post-processors to kept messages
     * @param confirmTimeout how long the broker's answer may take
     */
    public RabbitOutgoingTransport(
            ObjectProvider<PropagatingRabbitTemplate> templates,
            RabbitConnections connections,
            Duration confirmTimeout) {
        this.templates = templates;
        this.connections = connections;
        this.confirmTimeout = confirmTimeout;
    }

    @Override
    public String name() {
        return RabbitDelivery.TRANSPORT;
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        try {
            OutgoingRabbitMessage kept = OutgoingRabbitMessage.decode(message);
            return template(kept.connection())
                    .publish(kept)
                    .orTimeout(confirmTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException unreadable) {
            return CompletableFuture.failedFuture(unreadable);
        }
    }

    /**
     * Returns the template of a connection. Rows that name none are of an application that had only one, or of a
     * template that is not a bean.
     */
    private PropagatingRabbitTemplate template(Optional<String> connection) {
        return connection
                .map(connections::named)
                .map(named -> byConnection.computeIfAbsent(named, this::templateOver))
                .orElseGet(templates::getObject);
    }

    /**
     * Returns a template of the application, the primary one first; where they choose their connection by routing, a
     * new one.
     */
    private PropagatingRabbitTemplate templateOver(ConnectionFactory connection) {
        return Stream.concat(Stream.ofNullable(templates.getIfUnique()), templates.orderedStream())
                .filter(template -> template.getConnectionFactory() == connection)
                .findFirst()
                .orElseGet(() -> new PropagatingRabbitTemplate(connection).knowing(() -> connections));
    }
}
