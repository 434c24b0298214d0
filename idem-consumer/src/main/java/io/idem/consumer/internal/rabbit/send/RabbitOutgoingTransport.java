package io.idem.consumer.internal.rabbit.send;

import io.idem.OutgoingMessage;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.internal.method.HiddenMembers;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Publishes the messages that inbox rows kept to RabbitMQ, over the connection for which each was kept. Thread-safe.
 */
public final class RabbitOutgoingTransport implements OutgoingTransport {

    private final RabbitConnections connections;
    private final Duration confirmTimeout;
    private final Map<ConnectionFactory, ConfirmedChannels> channels = new ConcurrentHashMap<>();

    /**
     * Makes a transport.
     *
     * @param confirmTimeout how long the broker's answer may take
     */
    public RabbitOutgoingTransport(RabbitConnections connections, Duration confirmTimeout) {
        HiddenMembers.checkMethods(ChannelProxy.class, "isPublisherConfirms", "getTargetChannel");
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
            return channels.computeIfAbsent(connection(kept), over -> new ConfirmedChannels(over, confirmTimeout))
                    .publish(kept, Optional.of(connections))
                    .orTimeout(confirmTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException unreadable) {
            return CompletableFuture.failedFuture(unreadable);
        }
    }

    /** Returns the connection of a message. Rows that name none are of an earlier version, with only one connection. */
    private ConnectionFactory connection(OutgoingRabbitMessage kept) {
        List<ConnectionFactory> all = connections.all();
        if (kept.connection().isEmpty() && all.size() > 1) {
            throw new IllegalStateException("A kept message names no connection, and this application has several: it was"
                    + " kept when there was only one. Run an instance with that one alone until its row is empty");
        }
        return kept.connection().map(connections::named).orElseGet(() -> all.get(0));
    }
}
