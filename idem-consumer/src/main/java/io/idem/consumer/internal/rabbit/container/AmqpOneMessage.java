package io.idem.consumer.internal.rabbit.container;

import java.util.Map;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbitmq.client.RabbitAmqpUtils;

/**
 * Converts a message of the AMQP 1.0 client for the delivery hook. RabbitMQ hands headers of AMQP 0-9-1 whose names
 * begin with {@code x-}, the idempotency key's among them, over as message annotations, which Spring leaves out.
 */
final class AmqpOneMessage {

    private static final String ANNOTATED = "x-";

    private AmqpOneMessage() {}

    /** Returns the message with its annotations as headers; an application property of the same name wins. */
    static Message of(com.rabbitmq.client.amqp.Message received, String queue) {
        Message message = RabbitAmqpUtils.fromAmqpMessage(received, null);
        MessageProperties properties = message.getMessageProperties();
        properties.setConsumerQueue(queue);
        Map<String, Object> headers = properties.getHeaders();
        received.forEachAnnotation((name, value) -> {
            if (name.startsWith(ANNOTATED) && value != null) {
                headers.putIfAbsent(name, value);
            }
        });
        return message;
    }
}
