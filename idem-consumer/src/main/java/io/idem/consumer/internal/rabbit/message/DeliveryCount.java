package io.idem.consumer.internal.rabbit.message;

import java.time.Duration;
import org.springframework.amqp.core.Message;

/**
 * How often a quorum queue has already counted a message's return. Up to RabbitMQ 4.2 a return because another owner holds the lease
 * counts like a failure, and after {@code x-delivery-limit} (20 by default) of them the message is dropped or dead-lettered.
 * So each wait in place is twice as long as the one before: few returns outlast a long piece of work.
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
     * How long to wait before the next return.
     *
     * @param first before the first one
     * @param longest bound, well below the broker's consumer timeout; where it is shorter than {@code first}, that holds
     */
    public Duration waitLimit(Duration first, Duration longest) {
        Duration wait = first;
        for (long i = 0; i < returns && wait.compareTo(longest) < 0; i++) {
            Duration twice = wait.multipliedBy(2);
            wait = twice.compareTo(longest) < 0 ? twice : longest;
        }
        return wait;
    }
}
