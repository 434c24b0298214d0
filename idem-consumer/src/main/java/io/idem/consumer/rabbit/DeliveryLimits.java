package io.idem.consumer.rabbit;

import io.idem.consumer.internal.rabbit.message.DeliveryCount;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Warns at start-up of queues whose delivery limit is used up by waiting for {@value #LEASES} leases or less: up to
 * RabbitMQ 4.2 every return of a message in progress counts. Knows the queues that the application itself declares;
 * AMQP 0-9-1 does not tell the limits of others, nor those of policies. Thread-safe.
 */
public final class DeliveryLimits {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLimits.class);

    private static final String ARGUMENT = "x-delivery-limit";
    private static final int LEASES = 10;

    private final Supplier<Stream<Queue>> declared;
    private final Duration firstWait;
    private final Supplier<Duration> longestWait;
    private final Duration enough;

    /**
     * Makes the check of an application.
     *
     * @param declared its queues; needed when containers are about to start
     * @param firstWait in place, before a message goes back for the first time
     * @param longestWait in place, however often it went back
     * @param lease of its listeners
     */
    public DeliveryLimits(
            Supplier<Stream<Queue>> declared, Duration firstWait, Supplier<Duration> longestWait, Duration lease) {
        this.declared = declared;
        this.firstWait = firstWait;
        this.longestWait = longestWait;
        this.enough = lease.multipliedBy(LEASES);
    }

    /** Checks the queues of a container. */
    public void check(AbstractMessageListenerContainer container) {
        List<String> names = List.of(container.getQueueNames());
        declared.get().filter(queue -> names.contains(queue.getName())).forEach(this::check);
    }

    private void check(Queue queue) {
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
