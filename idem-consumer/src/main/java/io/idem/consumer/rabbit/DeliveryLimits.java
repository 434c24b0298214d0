package io.idem.consumer.rabbit;

import io.idem.consumer.internal.rabbit.message.DeliveryCount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.ExchangeTypes;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Knows what the returns of a message to its queue may cost. Warns at start-up of queues whose delivery limit is used up
 * by waiting for {@value #LEASES} leases or less (up to RabbitMQ 4.2 every return of a message in progress counts), and
 * of queues whose messages expire sooner than a key in progress is free. Knows the queues that the application itself
 * declares; AMQP 0-9-1 does not tell the limits of others, nor those of policies. Thread-safe.
 */
public final class DeliveryLimits {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLimits.class);

    private static final String ARGUMENT = "x-delivery-limit";
    private static final String TTL = "x-message-ttl";
    private static final String LENGTH = "x-max-length";
    private static final String OVERFLOW = "x-overflow";
    private static final String TYPE = "x-queue-type";
    private static final String STREAM = "stream";
    private static final String STREAM_OFFSET = "x-stream-offset";
    private static final int LEASES = 10;

    private final Supplier<Stream<Declarable>> declared;
    private final Duration firstWait;
    private final Supplier<Duration> longestWait;
    private final Duration lease;
    private final Duration enough;

    /**
     * Makes the check of an application.
     *
     * @param declared its queues and bindings; needed when containers are about to start
     * @param firstWait in place, before a message goes back for the first time
     * @param longestWait in place, however often it went back
     * @param lease of its listeners
     */
    public DeliveryLimits(
            Supplier<Stream<Declarable>> declared, Duration firstWait, Supplier<Duration> longestWait, Duration lease) {
        this.declared = declared;
        this.firstWait = firstWait;
        this.longestWait = longestWait;
        this.lease = lease;
        this.enough = lease.multipliedBy(LEASES);
    }

    /** Checks the queues of a container. */
    public void check(AbstractMessageListenerContainer container) {
        declared(List.of(container.getQueueNames())).forEach(queue -> {
            checkCount(queue);
            checkTime(queue);
        });
    }

    /** Returns the one of some queues that the application declares as a stream; empty if none is. */
    public Optional<String> stream(List<String> names) {
        return declared(names)
                .filter(queue -> STREAM.equals(queue.getArguments().get(TYPE)))
                .map(Queue::getName)
                .findFirst();
    }

    /**
     * Returns the one of some queues that gets its own dead letters back, at once or when they expire in another queue;
     * empty if none is known to.
     */
    public Optional<String> loop(List<String> names) {
        return declared(names)
                .filter(queue -> declared(Queue.class)
                        .anyMatch(next -> (next == queue || next.getArguments().containsKey(TTL))
                                && leads(queue, next)
                                && leads(next, queue)))
                .map(Queue::getName)
                .findFirst();
    }

    private boolean leads(Queue from, Queue to) {
        Object exchange = from.getArguments().get("x-dead-letter-exchange");
        Object key = from.getArguments().get("x-dead-letter-routing-key");
        return "".equals(exchange)
                ? to.getName().equals(key)
                : declared(Binding.class)
                        .anyMatch(binding -> String.valueOf(exchange).equals(binding.getExchange())
                                && to.getName().equals(binding.getDestination())
                                && (key == null || matches(binding, key.toString())));
    }

    /** Exchanges that are not declared count as direct ones. Of headers nothing is known before a message. */
    private boolean matches(Binding binding, String key) {
        String type = declared(Exchange.class)
                .filter(exchange -> exchange.getName().equals(binding.getExchange()))
                .map(Exchange::getType)
                .findFirst()
                .orElse(ExchangeTypes.DIRECT);
        return switch (type) {
            case ExchangeTypes.FANOUT, ExchangeTypes.HEADERS -> true;
            case ExchangeTypes.TOPIC ->
                ("." + key).matches(expression(Objects.requireNonNullElse(binding.getRoutingKey(), "")));
            default -> key.equals(binding.getRoutingKey());
        };
    }

    /** Returns the regular expression of a topic exchange's pattern, for keys with a dot before each word. */
    private static String expression(String pattern) {
        return Stream.of(pattern.split("\\.", -1))
                .map(word -> switch (word) {
                    case "*" -> "\\.[^.]*";
                    case "#" -> "(\\..*)?";
                    default -> Pattern.quote("." + word);
                })
                .collect(Collectors.joining());
    }

    /**
     * Returns whether a message comes from a stream, as its offset tells. A copy of such a message in another queue has
     * that too; so the type counts with which the application declares the queue.
     */
    public boolean isFromStream(Message message) {
        return message.getMessageProperties().getHeaders().containsKey(STREAM_OFFSET)
                && declared(message)
                        .allMatch(queue -> STREAM.equals(queue.getArguments().getOrDefault(TYPE, STREAM)));
    }

    private Stream<Queue> declared(Message message) {
        return declared(List.of(
                Objects.requireNonNullElse(message.getMessageProperties().getConsumerQueue(), "")));
    }

    private Stream<Queue> declared(List<String> names) {
        return declared(Queue.class).filter(queue -> names.contains(queue.getName()));
    }

    private <T extends Declarable> Stream<T> declared(Class<T> type) {
        return declared.get().filter(type::isInstance).map(type::cast);
    }

    /**
     * Returns whether a message would be lost, or be a dead letter although it has not failed, if it went back to its
     * queue: it expires there, or its queue drops its oldest message when it is full, or is a stream, which takes nothing
     * back.
     */
    public boolean isLostByReturn(Message message) {
        return message.getMessageProperties().getExpiration() != null
                || isFromStream(message)
                || declared(message).anyMatch(queue -> queue.getArguments().containsKey(TTL) || dropsOldest(queue));
    }

    /** Returns whether a message that comes back to a full queue is dropped: it is the oldest one there. */
    private static boolean dropsOldest(Queue queue) {
        Map<String, Object> arguments = queue.getArguments();
        boolean limited = arguments.keySet().stream().anyMatch(name -> name.startsWith(LENGTH));
        return limited && !String.valueOf(arguments.get(OVERFLOW)).startsWith("reject-publish");
    }

    private void checkTime(Queue queue) {
        if (queue.getArguments().get(TTL) instanceof Number ttl
                && ttl.longValue() < lease.plus(firstWait).toMillis()) {
            LOG.warn(
                    "Queue \"{}\" has {}={}: a message whose key is in progress at another owner would expire in it without having"
                            + " failed. So it waits on its thread, up to {}, and those behind it may expire meanwhile. Raise it"
                            + " above {}, or set idem.consumer.rabbit.deferral.strategy to delay-queue",
                    queue.getName(),
                    TTL,
                    ttl,
                    longestWait.get(),
                    lease.plus(firstWait).toMillis());
        }
    }

    private void checkCount(Queue queue) {
        if (queue.getArguments().get(ARGUMENT) instanceof Number limit && limit.longValue() >= 0) {
            Duration outlasted = outlasted(limit.longValue());
            if (outlasted.compareTo(enough) < 0) {
                LOG.warn(
                        "Queue \"{}\" has {}={}: before RabbitMQ 4.3 a message whose key is in progress at another owner for longer than"
                                + " {} is dead-lettered without having failed. Raise the limit, or idem.consumer.in-place-wait, or"
                                + " set idem.consumer.rabbit.deferral.strategy to delay-queue",
                        queue.getName(),
                        ARGUMENT,
                        limit,
                        outlasted);
            }
        }
    }

    /**
     * Returns how long a message waits in place before its return is one too many; stops counting where that is enough.
     */
    private Duration outlasted(long limit) {
        Duration all = Duration.ZERO;
        for (long returns = 0; returns <= limit && all.compareTo(enough) < 0; returns++) {
            all = all.plus(new DeliveryCount(returns).waitLimit(firstWait, longestWait.get()));
        }
        return all;
    }
}
