package io.idem.consumer.rabbit.deadletter;

import com.rabbitmq.client.GetResponse;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.key.HeaderText;
import io.idem.consumer.internal.rabbit.defer.DelayedMessage;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.util.Optional;
import java.util.Set;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/**
 * A message in a queue of dead letters.
 *
 * @param tag by which it is acknowledged
 */
record RabbitDeadLetter(long tag, DeliveredMessage delivered) {

    /** The queue's own, which begins anew with a copy. */
    private static final String RETURNS = "x-delivery-count";

    private static final Set<String> WORDS_OF_IDEM = Set.of(
            IdempotencyHeaders.REASON,
            IdempotencyHeaders.ORIGIN,
            IdempotencyHeaders.SCOPE,
            IdempotencyHeaders.ATTEMPTS,
            IdempotencyHeaders.CONNECTION);

    /** @param tenant whose it is if it does not say */
    static RabbitDeadLetter of(GetResponse got, String queue, String tenant) {
        MessageProperties properties =
                new DefaultMessagePropertiesConverter().toMessageProperties(got.getProps(), got.getEnvelope(), "UTF-8");
        properties.setConsumerQueue(queue);
        return new RabbitDeadLetter(
                got.getEnvelope().getDeliveryTag(),
                new RabbitDelivery(new Message(got.getBody(), properties), () -> false, tenant));
    }

    /** The queue it came from, by idem's word or, where the broker made it a dead letter, by the broker's. */
    Optional<String> origin() {
        return HeaderText.read(delivered, IdempotencyHeaders.ORIGIN)
                .or(() -> HeaderText.read(delivered, "x-first-death-queue"));
    }

    /** The name of the connection it came over; empty where the letter's own is meant. */
    Optional<String> connection() {
        return HeaderText.read(delivered, IdempotencyHeaders.CONNECTION);
    }

    /** The same letter for the same queue. */
    Message copy() {
        return again().build();
    }

    /** The message that it was, without what idem and the broker wrote on it when it became a dead letter. */
    Message message() {
        MessageBuilder message = again();
        WORDS_OF_IDEM.forEach(message::removeHeader);
        DelayedMessage.HISTORY.forEach(message::removeHeader);
        return message.build();
    }

    /** Without what is the queue's own, and without copies for whoever was to have them: they have had them. */
    private MessageBuilder again() {
        MessageBuilder copy = MessageBuilder.fromClonedMessage((Message) delivered.source());
        copy.removeHeader(RETURNS);
        DelayedMessage.COPIES.forEach(copy::removeHeader);
        return copy;
    }
}
