package io.idem.consumer.internal.rabbit.message;

import static io.idem.internal.Durations.shorter;

import java.time.Duration;
import org.springframework.amqp.core.Message;

/**
 * Number of a message's returns that a quorum queue has already counted. Up to RabbitMQ 4.2 a return because another
 * owner holds the lease counts like a failure, and after {@code x-delivery-limit} (20 by default) of them the message
 * is dropped or dead-lettered. So each wait in place is twice as long as the one before: few returns outlast a long
 * piece of work.
 *
 * @param returns counted so far; 0 where the queue does not count
 */
public record DeliveryCount(long returns) {

    private static final String HEADER = "x-delivery-count";

    public static DeliveryCount of(Message message) {
        Object counted = message.getMessageProperties().getHeaders().get(HEADER);
        return new DeliveryCount(counted instanceof Number number ? number.longValue() : 0);
    }

    /**
     * Returns how long to wait before the next return.
     *
     * @param first wait before the first return
     * @param longest upper limit, well below the broker's consumer timeout; where it is shorter than {@code first}, it
     *     holds
     */
    public Duration waitLimit(Duration first, Duration longest) {
        Duration wait = first;
        for (long i = 0; i < returns && wait.compareTo(longest) < 0; i++) {
            Duration twice = wait.multipliedBy(2);
            wait = shorter(twice, longest);
        }
        return wait;
    }
}
