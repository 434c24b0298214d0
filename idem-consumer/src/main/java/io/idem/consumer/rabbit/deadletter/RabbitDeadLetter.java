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

    /** Header of the queue's own, which begins anew with a copy. */
    private static final String RETURNS = "x-delivery-count";

    private static final Set<String> WORDS_OF_IDEM = Set.of(
            IdempotencyHeaders.REASON,
            IdempotencyHeaders.ORIGIN,
            IdempotencyHeaders.SCOPE,
            IdempotencyHeaders.ATTEMPTS,
            IdempotencyHeaders.CONNECTION);

    /**
     * Makes a letter of a message that was got.
     *
     * @param tenant of letters that name none
     */
    static RabbitDeadLetter of(GetResponse got, String queue, String tenant) {
        MessageProperties properties =
                new DefaultMessagePropertiesConverter().toMessageProperties(got.getProps(), got.getEnvelope(), "UTF-8");
        properties.setConsumerQueue(queue);
        return new RabbitDeadLetter(
                got.getEnvelope().getDeliveryTag(),
                new RabbitDelivery(new Message(got.getBody(), properties), () -> false, tenant));
    }

    /**
     * Returns the queue that the message came from, by idem's header or, where the broker made it a dead letter, by the
     * broker's.
     */
    Optional<String> origin() {
        return HeaderText.read(delivered, IdempotencyHeaders.ORIGIN)
                .or(() -> HeaderText.read(delivered, "x-first-death-queue"));
    }

    /** Returns the name of the connection that the message came over; empty where the letter's own is meant. */
    Optional<String> connection() {
        return HeaderText.read(delivered, IdempotencyHeaders.CONNECTION);
    }

    /** Returns a copy of the letter for its queue. */
    Message copy() {
        return again().build();
    }

    /**
     * Returns the original message, without the headers that idem and the broker wrote when it became a dead letter.
     */
    Message message() {
        MessageBuilder message = again();
        WORDS_OF_IDEM.forEach(message::removeHeader);
        DelayedMessage.HISTORY.forEach(message::removeHeader);
        return message.build();
    }

    /**
     * Returns a builder without the queue's own headers, and without those for further copies, which were sent already.
     */
    private MessageBuilder again() {
        MessageBuilder copy = MessageBuilder.fromClonedMessage((Message) delivered.source());
        copy.removeHeader(RETURNS);
        DelayedMessage.COPIES.forEach(copy::removeHeader);
        return copy;
    }
}
