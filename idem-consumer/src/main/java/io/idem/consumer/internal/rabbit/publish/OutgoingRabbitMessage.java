package io.idem.consumer.internal.rabbit.publish;

import io.idem.OutgoingMessage;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.springframework.amqp.core.Message;

/**
 * A message as an inbox row keeps it: a format byte, exchange and routing key, and the
 * {@linkplain AmqpMessageBytes message}. Where the application has several connections, the second format keeps the
 * name of the message's own behind the routing key.
 */
public record OutgoingRabbitMessage(RabbitDestination destination, Optional<String> connection, Message message) {

    private static final int WITHOUT_CONNECTION = 1;
    private static final int WITH_CONNECTION = 2;

    public static OutgoingMessage encode(RabbitDestination destination, Optional<String> connection, Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(connection.isPresent() ? WITH_CONNECTION : WITHOUT_CONNECTION);
            out.writeUTF(destination.exchange());
            out.writeUTF(destination.routingKey());
            if (connection.isPresent()) {
                out.writeUTF(connection.get());
            }
            AmqpMessageBytes.write(message, out);
        } catch (IOException unencodable) {
            throw new UncheckedIOException("A message to " + destination + " cannot be kept", unencodable);
        }
        return new OutgoingMessage(RabbitDelivery.TRANSPORT, destination.toString(), bytes.toByteArray());
    }

    public static OutgoingRabbitMessage decode(OutgoingMessage kept) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept.content()))) {
            int format = in.readUnsignedByte();
            if (format != WITHOUT_CONNECTION && format != WITH_CONNECTION) {
                throw new IllegalStateException(kept + " has format " + format + ", which this version does not know");
            }
            RabbitDestination destination = new RabbitDestination(in.readUTF(), in.readUTF());
            Optional<String> connection = format == WITH_CONNECTION ? Optional.of(in.readUTF()) : Optional.empty();
            return new OutgoingRabbitMessage(destination, connection, AmqpMessageBytes.read(in));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(kept + " cannot be read", unreadable);
        }
    }
}
