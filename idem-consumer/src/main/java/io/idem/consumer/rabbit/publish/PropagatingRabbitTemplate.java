package io.idem.consumer.rabbit.publish;

import io.idem.IdempotencyContext;
import io.idem.Publications;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.publish.AwaitedMessage;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RabbitHeaders;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.CorrelationDataPostProcessor;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * A {@link RabbitTemplate} whose messages are part of the idempotent work that publishes them. They carry a key of
 * their own, and the work does not count as done before the broker has confirmed each of them: a refused message is
 * published again. Inside an inbox transaction messages are kept and leave after its commit.
 *
 * <p>Messages are mandatory unless {@link #setMandatory} says otherwise. One that the broker returns from a named
 * exchange is published three times; then it is dropped with a warning, and counted by {@code
 * idem.publications.unroutable}. One that it returns from the nameless exchange is refused, since the routing key is the
 * name of a queue.
 *
 * <p>Outside idempotent work it is an ordinary template. Requests that await a reply get the headers, but are neither
 * tracked nor kept; inside an inbox transaction, a message with a reply address, a correlation id and correlation data
 * of its caller is such a request. Thread-safe; does not block on confirms.
 */
public class PropagatingRabbitTemplate extends RabbitTemplate {

    private @Nullable Supplier<RabbitConnections> connections;

    /**
     * Makes a template.
     *
     * @param connectionFactory with correlated publisher confirms and publisher returns
     * @throws ListenerConfigurationException names the settings that are missing
     */
    public PropagatingRabbitTemplate(ConnectionFactory connectionFactory) {
        super(connectionFactory);
        if (!connectionFactory.isPublisherConfirms() || !connectionFactory.isPublisherReturns()) {
            throw new ListenerConfigurationException(
                    "A PropagatingRabbitTemplate learns from its connection factory what became of its messages, and this"
                            + " one has no correlated publisher confirms or no publisher returns",
                    "Set spring.rabbitmq.publisher-confirm-type to correlated and spring.rabbitmq.publisher-returns to true, or on"
                            + " a CachingConnectionFactory bean of your own, which these settings do not reach,"
                            + " setPublisherConfirmType(CORRELATED) and setPublisherReturns(true). A factory that has no"
                            + " correlated confirms, such as a pool of channels, needs idem.consumer.propagating-templates=false");
        }
        setMandatory(true);
    }

    /** Sets the application's connections; without them every return of a message is a refusal. */
    public PropagatingRabbitTemplate knowing(Supplier<RabbitConnections> applications) {
        connections = applications;
        return this;
    }

    private Optional<String> connection() {
        return connections == null ? Optional.empty() : connections.get().nameAmongSeveral(getConnectionFactory());
    }

    /** Returns what was set, or true; for a message of an inbox row, what was set when it was kept. */
    @Override
    public Boolean isMandatoryFor(Message message) {
        return message instanceof RoutedMessage routed ? routed.mandatory() : super.isMandatoryFor(message);
    }

    /**
     * Refuses transacted channels, which have no confirms.
     *
     * @throws IllegalArgumentException if it is asked for
     */
    @Override
    public void setChannelTransacted(boolean transacted) {
        if (transacted) {
            throw new IllegalArgumentException(
                    "A PropagatingRabbitTemplate waits for confirms, which a transacted channel does not have;"
                            + " leave channelTransacted off");
        }
        super.setChannelTransacted(false);
    }

    /** Sets a processor. If it replaces the data that it is given, the broker's answer completes both. */
    @Override
    public void setCorrelationDataPostProcessor(CorrelationDataPostProcessor own) {
        super.setCorrelationDataPostProcessor(
                (message, given) -> AwaitedMessage.answering(own.postProcess(message, given), given));
    }

    /**
     * Publishes, or keeps the message while an inbox transaction is open.
     *
     * @throws IllegalStateException if correlation data is given while an inbox transaction is open, and the message is
     *     no request: its future could not complete before the commit
     */
    @Override
    public void send(
            @Nullable String exchange,
            @Nullable String routingKey,
            Message message,
            @Nullable CorrelationData correlationData)
            throws AmqpException {
        RabbitDestination destination = new RabbitDestination(
                Objects.requireNonNullElse(exchange, getExchange()),
                Objects.requireNonNullElse(routingKey, getRoutingKey()));
        Optional<IdempotencyContext> context = BoundContexts.toPublish(() -> destination.of(message));
        if (context.isEmpty()) {
            super.send(exchange, routingKey, message, correlationData);
            return;
        }
        OutgoingRabbitMessage published = outgoing(context.get(), destination, message);
        boolean laterAttempt = Received.isLaterAttempt(context.get(), destination.of(published.message()));
        Publications publications = context.get().publications();
        sendOrKeep(publications, laterAttempt ? published.required() : published, correlationData, laterAttempt);
        if (laterAttempt) {
            publications.again();
        }
    }

    private OutgoingRabbitMessage outgoing(IdempotencyContext context, RabbitDestination destination, Message message) {
        Message written = RabbitHeaders.write(
                context,
                destination::of,
                MessageBuilder.fromClonedMessage(message).build());
        RoutedMessage routed = new RoutedMessage(written, isMandatoryFor(message));
        // What comes routed is an intake's.
        return connections == null || message instanceof RoutedMessage
                ? OutgoingRabbitMessage.of(destination, routed)
                : OutgoingRabbitMessage.of(context, destination, routed);
    }

    private void sendOrKeep(
            Publications publications,
            OutgoingRabbitMessage message,
            @Nullable CorrelationData correlationData,
            boolean laterAttempt) {
        boolean request = !laterAttempt && AwaitedMessage.isRequest(message.message(), correlationData);
        if (!publications.keeping()) {
            CorrelationData sent = correlationData == null ? new RabbitHeaders.Written() : correlationData;
            send(message, sent);
            AwaitedMessage awaited = awaited(message, laterAttempt ? publications::handBack : null);
            publications.track(request ? awaited.answered(sent) : awaited.taken(sent), awaited::publish);
        } else if (correlationData == null) {
            publications.keep(message.encode(connection()));
        } else if (request) {
            send(message, correlationData);
        } else {
            throw new IllegalStateException("A message to " + message.destination()
                    + " leaves after the inbox transaction: publish it without CorrelationData, whose future would"
                    + " not complete before the commit");
        }
    }

    private void send(OutgoingRabbitMessage message, CorrelationData sent) {
        RabbitDestination to = message.destination();
        super.send(to.exchange(), to.routingKey(), message.message().copied(), sent);
    }

    private AwaitedMessage awaited(OutgoingRabbitMessage message, @Nullable Runnable handBack) {
        return new AwaitedMessage(
                message,
                () -> Optional.ofNullable(connections).map(Supplier::get),
                getConnectionFactory(),
                sent -> send(message, sent),
                handBack);
    }

    /**
     * Publishes a message as it is.
     *
     * @return completes when the broker has taken it over or nobody wants it; never throws
     */
    public CompletableFuture<Void> publish(OutgoingRabbitMessage message) {
        return awaited(message, null).publish();
    }
}
