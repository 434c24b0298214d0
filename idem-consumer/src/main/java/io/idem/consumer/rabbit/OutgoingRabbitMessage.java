package io.idem.consumer.rabbit;

import io.idem.spi.OutgoingMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.amqp.core.Message;

/**
 * A message as an inbox row keeps it: a format byte, exchange and routing key, and the {@linkplain AmqpMessageBytes message}.
 */
record OutgoingRabbitMessage(RabbitDestination destination, Message message) {

    private static final int FORMAT = 1;

    static OutgoingMessage encode(RabbitDestination destination, Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeUTF(destination.exchange());
            out.writeUTF(destination.routingKey());
            AmqpMessageBytes.write(message, out);
        } catch (IOException unencodable) {
            throw new UncheckedIOException("A message to " + destination + " cannot be kept", unencodable);
        }
        return new OutgoingMessage(RabbitDeliveredMessage.TRANSPORT, destination.toString(), bytes.toByteArray());
    }

    static OutgoingRabbitMessage decode(OutgoingMessage kept) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept.content()))) {
            int format = in.readUnsignedByte();
            if (format != FORMAT) {
                throw new IllegalStateException(kept + " has format " + format + ", which this version does not know");
            }
            RabbitDestination destination = new RabbitDestination(in.readUTF(), in.readUTF());
            return new OutgoingRabbitMessage(destination, AmqpMessageBytes.read(in));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(kept + " cannot be read", unreadable);
        }
    }
}
