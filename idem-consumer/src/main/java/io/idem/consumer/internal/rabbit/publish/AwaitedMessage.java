package io.idem.consumer.internal.rabbit.publish;

import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.internal.DaemonThreads;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Correlation;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.connection.SimpleResourceHolder;

/**
 * One message that is published until the broker has taken it over, or until nobody seems to want it: a message that a
 * named exchange returned three times is dropped with a warning. A return from the nameless exchange is a refusal,
 * because the routing key is the name of a queue, unless the name was generated. Thread-safe.
 */
public final class AwaitedMessage {

    private static final Logger LOG = LoggerFactory.getLogger(AwaitedMessage.class);
    private static final int TRIES = 3;

    private static final Executor LATER = DaemonThreads.after(Duration.ofMillis(200));

    private final OutgoingRabbitMessage message;
    private final Supplier<Optional<RabbitConnections>> application;
    private final ConnectionFactory connections;
    private final @Nullable Object route;
    private final Consumer<CorrelationData> publisher;
    private final @Nullable Runnable handBack;
    private final AtomicInteger refusals = new AtomicInteger();

    /**
     * Makes a message that is not published yet.
     *
     * @param message as the broker gets it
     * @param application its connections; where they are not known, a message that is returned is refused
     * @param connections of the template; a routing one goes on to the target that the calling thread has chosen
     * @param publisher publishes the message once
     * @param handBack of a message with which a later attempt comes: called when the broker has refused it three times, so
     *     that the message of the delivery brings that attempt; null for other messages
     */
    public AwaitedMessage(
            OutgoingRabbitMessage message,
            Supplier<Optional<RabbitConnections>> application,
            ConnectionFactory connections,
            Consumer<CorrelationData> publisher,
            @Nullable Runnable handBack) {
        this.message = message;
        this.application = application;
        this.connections = connections;
        this.route = SimpleResourceHolder.get(connections);
        this.publisher = publisher;
        this.handBack = handBack;
    }

    /** Publishes the message. The future completes as that of {@link #taken}; never throws. */
    public CompletableFuture<Void> publish() {
        CorrelationData sent = new RabbitHeaders.Written();
        if (route != null) {
            SimpleResourceHolder.push(connections, route);
        }
        try {
            publisher.accept(sent);
            return taken(sent);
        } catch (AmqpException notSent) {
            return CompletableFuture.failedFuture(notSent);
        } finally {
            if (route != null) {
                var unused = SimpleResourceHolder.pop(connections);
            }
        }
    }

    /**
     * Returns a future that completes when the broker has taken the message over or it is dropped, and exceptionally
     * when the broker refused it. A message without a queue is confirmed by RabbitMQ and refused by others: only both
     * answers together mean success.
     */
    public CompletableFuture<Void> taken(CorrelationData sent) {
        return sent.getFuture().thenCompose(confirm -> answered(confirm, sent.getReturned()));
    }

    /**
     * Passes the broker's answer on to the awaited data, where an application's post-processor has put other data in
     * its place.
     *
     * @param sent with the message
     * @param awaited null if the answer is not awaited
     * @return the data to send
     */
    public static CorrelationData answering(CorrelationData sent, @Nullable CorrelationData awaited) {
        if (awaited != null && awaited != sent) {
            Stages.copy(
                    sent.getFuture().whenComplete((confirm, failure) -> {
                        ReturnedMessage returned = sent.getReturned();
                        if (returned != null) {
                            awaited.setReturned(returned);
                        }
                    }),
                    awaited.getFuture());
        }
        return sent;
    }

    /**
     * Returns a future like that of {@link #taken} for a {@linkplain #isRequest request}: its caller learns that it came back
     * and gives it up, so it is not published again for that.
     */
    public CompletableFuture<Void> answered(CorrelationData sent) {
        return sent.getFuture()
                .thenCompose(confirm ->
                        sent.getReturned() == null ? answered(confirm, null) : CompletableFuture.completedFuture(null));
    }

    /** Returns whether a message is a request whose caller waits for a reply and for what becomes of the request. */
    public static boolean isRequest(Message message, @Nullable Correlation callers) {
        MessageProperties properties = message.getMessageProperties();
        return callers != null
                && !(callers instanceof RabbitHeaders.Awaited)
                && properties.getReplyTo() != null
                && properties.getCorrelationId() != null;
    }

    private CompletableFuture<Void> answered(CorrelationData.Confirm confirm, @Nullable ReturnedMessage came) {
        if (came != null && !isDelayed(came)) {
            return returned(came.getReplyText());
        }
        return confirm.ack()
                ? CompletableFuture.completedFuture(null)
                : refused("The broker refused a message to " + message.destination() + ": "
                        + Objects.requireNonNullElse(confirm.reason(), "basic.nack, as of a queue that is full"));
    }

    private CompletableFuture<Void> refused(String why) {
        if (handBack == null || refusals.incrementAndGet() < TRIES) {
            return CompletableFuture.failedFuture(new AmqpException(why));
        }
        handBack.run();
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> returned(String reason) {
        if (message.work().isEmpty() || message.destination().isExpected()) {
            return refused("No queue for a message to " + message.destination() + ": " + reason);
        }
        if (refusals.incrementAndGet() < TRIES) {
            return CompletableFuture.supplyAsync(() -> true, LATER).thenCompose(paused -> publish());
        }
        drop(message.work().get(), reason);
        return CompletableFuture.completedFuture(null);
    }

    private void drop(String work, String reason) {
        RabbitDestination to = message.destination();
        LOG.warn(
                "A message that {} published is dropped, because no queue takes it: exchange \"{}\", routing key"
                        + " \"{}\" ({}). The work counts as done. Bind a queue if the message is wanted",
                work,
                to.exchange(),
                to.routingKey(),
                reason);
        Scope scope = new Scope(work.substring(0, work.lastIndexOf('/')));
        ConsumerEvent event =
                new ConsumerEvent.Unroutable(scope, RabbitDelivery.TRANSPORT, to.exchange(), to.routingKey());
        application.get().ifPresent(known -> known.events().publish(event));
    }

    /**
     * Returns whether the broker has the message although it returned it: exchanges of the type x-delayed-message return
     * what they delay. They take every number and its text for a delay.
     */
    private boolean isDelayed(ReturnedMessage came) {
        String exchange = message.destination().exchange();
        return !exchange.isEmpty()
                && Stream.of(message.message(), came.getMessage())
                        .flatMap(known -> Stream.ofNullable(
                                known.getMessageProperties().<Object>getHeader(MessageProperties.X_DELAY)))
                        .findFirst()
                        .filter(delay -> delay.toString().matches("\\+?0*[1-9][0-9]*(\\..*)?"))
                        .isPresent()
                && application.get().filter(known -> known.mayDelay(exchange)).isPresent();
    }
}
