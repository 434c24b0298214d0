package io.idem.consumer.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import io.idem.spi.OutgoingMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/**
 * A message as an inbox row keeps it: a format byte, exchange and routing key, the AMQP content header as on the wire, and the
 * body. Properties and header types survive exactly.
 */
record OutgoingRabbitMessage(RabbitDestination destination, Message message) {

    private static final int FORMAT = 1;
    private static final String CHARSET = StandardCharsets.UTF_8.name();
    private static final DefaultMessagePropertiesConverter CONVERTER = new DefaultMessagePropertiesConverter();

    static OutgoingMessage encode(RabbitDestination destination, Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeUTF(destination.exchange());
            out.writeUTF(destination.routingKey());
            writeHeader(out, message);
            out.write(message.getBody());
        } catch (IOException unencodable) {
            throw new UncheckedIOException("A message to " + destination + " cannot be kept", unencodable);
        }
        return new OutgoingMessage(RabbitDeliveredMessage.TRANSPORT, destination.toString(), bytes.toByteArray());
    }

    /** Weight, body size, properties: a content header as the protocol has it. */
    private static void writeHeader(DataOutputStream out, Message message) throws IOException {
        out.writeShort(0);
        out.writeLong(message.getBody().length);
        ContentHeaderPropertyWriter writer = new ContentHeaderPropertyWriter(out);
        CONVERTER.fromMessageProperties(message.getMessageProperties(), CHARSET).writePropertiesTo(writer);
    }

    static OutgoingRabbitMessage decode(OutgoingMessage kept) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept.content()))) {
            int format = in.readUnsignedByte();
            if (format != FORMAT) {
                throw new IllegalStateException(kept + " has format " + format + ", which this version does not know");
            }
            RabbitDestination destination = new RabbitDestination(in.readUTF(), in.readUTF());
            BasicProperties header = new BasicProperties(in);
            return new OutgoingRabbitMessage(destination, new Message(in.readAllBytes(), outgoing(header)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(kept + " cannot be read", unreadable);
        }
    }

    /** The converter reads messages as received; what is to be sent again sits in other fields. */
    private static MessageProperties outgoing(BasicProperties header) {
        MessageProperties properties = CONVERTER.toMessageProperties(header, null, CHARSET);
        properties.setDeliveryMode(properties.getReceivedDeliveryMode());
        properties.setUserId(properties.getReceivedUserId());
        if (properties.getReceivedDelayLong() != null) {
            properties.setDelayLong(properties.getReceivedDelayLong());
        }
        return properties;
    }
}
