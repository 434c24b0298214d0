package io.idem.consumer.rabbit.deadletter;

import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.key.DeadLetterQuery;
import io.idem.consumer.internal.rabbit.container.RabbitTenants;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.send.ConfirmedPublisher;
import io.idem.spi.DeadLetterSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.QueueInformation;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/**
 * Dead letters in a queue of RabbitMQ. A letter that is not the one looked for goes to the end of its queue, as a
 * confirmed copy: handing it back would count as a return, and a quorum queue drops or dead-letters a message that was
 * returned too often. So the order of a queue of dead letters changes, each message's time to live begins anew, and the
 * next call goes on where this one ended. Thread-safe; blocks.
 */
public final class RabbitDeadLetterSource implements DeadLetterSource {

    /**
     * Retries while consumers of the queue may be left over from a pass that has ended: a quorum queue counts the
     * receiver of a message as a consumer until it has noted the acknowledgement.
     */
    private static final RetryPolicy NOTED = RetryPolicy.builder()
            .includes(QueueAtWorkException.class)
            .delay(Duration.ofMillis(50))
            .maxRetries(60)
            .build();

    private final RabbitConnections connections;
    private final RabbitTenants tenants;
    private final Supplier<IdempotentListeners> listeners;
    private final Duration confirmTimeout;
    private final Map<ConnectionFactory, ConfirmedPublisher> publishers = new ConcurrentHashMap<>();

    /**
     * Uses the suppliers when they are first needed.
     *
     * @param connections the application's connections
     * @param tenants of letters that name none
     * @param listeners know how their letters are recognized
     * @param confirmTimeout how long the broker's answer to one message may take
     */
    public RabbitDeadLetterSource(
            RabbitConnections connections,
            RabbitTenants tenants,
            Supplier<IdempotentListeners> listeners,
            Duration confirmTimeout) {
        this.connections = connections;
        this.tenants = tenants;
        this.listeners = listeners;
        this.confirmTimeout = confirmTimeout;
    }

    @Override
    public String transport() {
        return RabbitDelivery.TRANSPORT;
    }

    /**
     * {@inheritDoc} Looks on every connection that has such a queue, also while the broker of another does not answer, whose
     * failure is told only if the letter is not found. A letter goes back over the connection that it
     * names, or else the one over which it was found.
     *
     * @throws IllegalArgumentException also if the letter names a connection that this application, which has several,
     *     does not have
     */
    @Override
    public Search moveBack(Sought sought, BooleanSupplier permission) {
        DeadLetterQuery query = listeners.get().letter(sought);
        int examined = 0;
        boolean more = false;
        for (Map.Entry<ConnectionFactory, Long> queue : lettersIn(sought.from()).entrySet()) {
            int limit = sought.limit() - examined;
            Search search = search(sought.from(), queue.getKey(), query, queue.getValue(), limit, permission);
            examined += search.examined();
            if (!(search instanceof Search.Missing missing)) {
                return search instanceof Search.Moved moved
                        ? new Search.Moved(examined, moved.to())
                        : new Search.Kept(examined);
            }
            more |= missing.more();
        }
        return new Search.Missing(examined, more);
    }

    /**
     * Returns the number of letters in the queues of a name, by connection. Those whose brokers do not answer come last, so
     * that their failure ends only a search that has found nothing. Refuses a queue with consumers: the pass
     * would reverse the order of a listener's queue that was named by mistake.
     */
    private Map<ConnectionFactory, Long> lettersIn(String queue) {
        Map<ConnectionFactory, Long> letters = new LinkedHashMap<>();
        Map<ConnectionFactory, Long> silent = new LinkedHashMap<>();
        RuntimeException refused = new IllegalArgumentException("RabbitMQ has no queue \"" + queue + "\"");
        for (ConnectionFactory broker : connections.all()) {
            try {
                lettersIn(queue, broker).ifPresent(there -> letters.put(broker, there));
            } catch (QueueAtWorkException atWork) {
                refused = atWork;
            } catch (AmqpException away) {
                silent.put(broker, 1L);
            }
        }
        letters.putAll(silent);
        if (letters.isEmpty()) {
            throw refused;
        }
        return letters;
    }

    private static Optional<Long> lettersIn(String queue, ConnectionFactory broker) {
        RabbitAdmin admin = new RabbitAdmin(broker);
        return new RetryTemplate(NOTED).invoke(() -> readyLetters(queue, admin));
    }

    private static Optional<Long> readyLetters(String queue, RabbitAdmin admin) {
        QueueInformation found = admin.getQueueInfo(queue);
        if (found == null) {
            return Optional.empty();
        }
        if (found.getConsumerCount() > 0) {
            throw new QueueAtWorkException(queue, found.getConsumerCount());
        }
        return Optional.of(found.getMessageCount());
    }

    private Search search(
            String from,
            ConnectionFactory broker,
            DeadLetterQuery query,
            long there,
            int limit,
            BooleanSupplier permission) {
        try (DeadLetterQueue queue = new DeadLetterQueue(broker, from, tenants.of(broker), publisher(broker))) {
            return search(queue, query, there, limit, permission);
        } catch (IOException unanswered) {
            throw new UncheckedIOException("RabbitMQ did not answer; the dead letter is still there", unanswered);
        }
    }

    private ConfirmedPublisher publisher(ConnectionFactory broker) {
        return publishers.computeIfAbsent(broker, over -> new ConfirmedPublisher(over, confirmTimeout));
    }

    /** Looks at no message twice: at no more messages than there were at first. */
    private Search search(
            DeadLetterQueue queue, DeadLetterQuery query, long there, int limit, BooleanSupplier permission)
            throws IOException {
        for (int examined = 0; examined < Math.min(limit, there); examined++) {
            Optional<RabbitDeadLetter> letter = queue.next();
            if (letter.isEmpty()) {
                return new Search.Missing(examined, false);
            }
            if (query.is(letter.get().delivered())) {
                return found(queue, letter.get(), permission, examined + 1);
            }
            queue.putBack(letter.get());
        }
        return new Search.Missing((int) Math.min(limit, there), limit < there);
    }

    private Search found(DeadLetterQueue queue, RabbitDeadLetter letter, BooleanSupplier permission, int examined)
            throws IOException {
        Optional<String> origin = letter.origin();
        if (origin.isEmpty()) {
            queue.putBack(letter);
            throw new IllegalArgumentException("The dead letter does not say which queue it came from: it has neither"
                    + " x-idempotency-origin nor x-first-death-queue. Move it with the broker's tools");
        }
        ConfirmedPublisher back = back(queue, letter);
        if (!permission.getAsBoolean()) {
            queue.putBack(letter);
            return new Search.Kept(examined);
        }
        queue.move(letter, origin.get(), back);
        return new Search.Moved(examined, origin.get());
    }

    /** Returns the publisher on the connection over which the letter goes back. */
    private ConfirmedPublisher back(DeadLetterQueue queue, RabbitDeadLetter letter) throws IOException {
        Optional<String> name = letter.connection();
        if (name.isEmpty() || connections.all().size() == 1) {
            return queue.publisher();
        }
        try {
            return publisher(connections.named(name.get()));
        } catch (IllegalArgumentException unusable) {
            queue.putBack(letter);
            throw unusable;
        }
    }

    private static final class QueueAtWorkException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        QueueAtWorkException(String queue, int consumers) {
            super(
                    "Queue \"" + queue + "\" has " + consumers
                            + " consumers, so it is no queue of dead letters that lie and wait; name that one, or stop its consumers");
        }
    }
}
