package io.idem.consumer.internal.rabbit.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/**
 * A message that is to be sent, as bytes: the AMQP content header as on the wire, and the body. Properties and header
 * types survive exactly.
 */
final class AmqpMessageBytes {

    private static final String CHARSET = StandardCharsets.UTF_8.name();
    private static final DefaultMessagePropertiesConverter CONVERTER = new DefaultMessagePropertiesConverter();

    private AmqpMessageBytes() {}

    /** Writes a message. The body takes all remaining bytes, so no other data can follow. */
    static void write(Message message, DataOutputStream out) throws IOException {
        writeHeader(message, out);
        out.write(message.getBody());
    }

    /** Writes weight, body size and properties: a content header of the protocol. */
    private static void writeHeader(Message message, DataOutputStream out) throws IOException {
        out.writeShort(0);
        out.writeLong(message.getBody().length);
        ContentHeaderPropertyWriter writer = new ContentHeaderPropertyWriter(out);
        CONVERTER.fromMessageProperties(message.getMessageProperties(), CHARSET).writePropertiesTo(writer);
    }

    static Message read(DataInputStream in) throws IOException {
        BasicProperties header = new BasicProperties(in);
        return message(header, in.readAllBytes());
    }

    /** Returns the message that a client of RabbitMQ was given to publish. */
    static Message message(BasicProperties header, byte[] body) {
        return new Message(body, outgoing(header));
    }

    /**
     * Converts properties for sending: the converter reads messages as received, and values for sending are in other
     * fields.
     */
    private static MessageProperties outgoing(BasicProperties header) {
        MessageProperties properties = CONVERTER.toMessageProperties(header, null, CHARSET);
        properties.setDeliveryMode(properties.getReceivedDeliveryMode());
        properties.setUserId(properties.getReceivedUserId());
        // The converter takes only numbers for a delay, and takes off their sign.
        Object delay = header.getHeaders() == null ? null : header.getHeaders().get(MessageProperties.X_DELAY);
        if (delay != null) {
            properties.setHeader(MessageProperties.X_DELAY, delay instanceof LongString ? delay.toString() : delay);
        }
        return properties;
    }
}
