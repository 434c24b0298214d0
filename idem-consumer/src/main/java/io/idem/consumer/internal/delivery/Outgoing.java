package io.idem.consumer.internal.delivery;

import io.idem.consumer.DeliveredMessage;
import java.util.function.Predicate;

/**
 * A message that work publishes.
 *
 * @param destination exchange and routing key, or topic
 * @param message the message as a receiver would get it
 * @param returns whether it goes back to where a received message came from
 * @param copies whether it has the body of a received message
 */
public record Outgoing(
        String destination,
        DeliveredMessage message,
        Predicate<DeliveredMessage> returns,
        Predicate<DeliveredMessage> copies) {}
