package io.idem.consumer.internal.rabbit.publish;

import io.idem.IdempotencyContext;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A message that leaves, now or from an inbox row. A row keeps a format byte, exchange, routing key, the name of the
 * connection, the work, whether the message is mandatory, and the {@linkplain AmqpMessageBytes message}; a name that is
 * absent is empty. The first format has no connection, and the first two neither work nor mandatory: they say all about a
 * message that must reach a queue, and earlier versions read no others.
 *
 * @param connection the name of its connection, if it comes from a row that names one
 * @param work {@linkplain RecordId scope and digest of the key} of the work that published it; empty if every return of
 *     the message is a refusal, whatever its exchange
 */
public record OutgoingRabbitMessage(
        RabbitDestination destination, Optional<String> connection, Optional<String> work, RoutedMessage message) {

    private static final int WITHOUT_CONNECTION = 1;
    private static final int WITH_CONNECTION = 2;
    private static final int WITH_WORK = 3;

    /** Returns a message of running work. */
    public static OutgoingRabbitMessage of(
            IdempotencyContext work, RabbitDestination destination, RoutedMessage message) {
        RecordId record = new RecordId(work.key(), work.scope());
        return new OutgoingRabbitMessage(destination, Optional.empty(), Optional.of(record.toString()), message);
    }

    /** Returns a message of which every return is a refusal. */
    public static OutgoingRabbitMessage of(RabbitDestination destination, RoutedMessage message) {
        return new OutgoingRabbitMessage(destination, Optional.empty(), Optional.empty(), message);
    }

    /** Returns this message, of which every return is a refusal. */
    public OutgoingRabbitMessage required() {
        return new OutgoingRabbitMessage(destination, connection, Optional.empty(), new RoutedMessage(message, true));
    }

    /**
     * Returns the message for an inbox row.
     *
     * @param over the name of the connection over which it is to leave; empty for the only one
     */
    public OutgoingMessage encode(Optional<String> over) {
        boolean mustReachAQueue = message.mandatory() && (work.isEmpty() || destination.isExpected());
        int format = over.isPresent() ? WITH_CONNECTION : WITHOUT_CONNECTION;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(mustReachAQueue ? format : WITH_WORK);
            out.writeUTF(destination.exchange());
            out.writeUTF(destination.routingKey());
            if (over.isPresent() || !mustReachAQueue) {
                out.writeUTF(over.orElse(""));
            }
            if (!mustReachAQueue) {
                out.writeUTF(work.orElse(""));
                out.writeBoolean(message.mandatory());
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
            if (format < WITHOUT_CONNECTION || format > WITH_WORK) {
                throw new IllegalStateException(kept + " has format " + format + ", which this version does not know");
            }
            RabbitDestination destination = new RabbitDestination(in.readUTF(), in.readUTF());
            Optional<String> connection = name(in, format > WITHOUT_CONNECTION);
            Optional<String> work = name(in, format == WITH_WORK);
            boolean mandatory = format < WITH_WORK || in.readBoolean();
            return new OutgoingRabbitMessage(
                    destination, connection, work, new RoutedMessage(AmqpMessageBytes.read(in), mandatory));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(kept + " cannot be read", unreadable);
        }
    }

    private static Optional<String> name(DataInputStream in, boolean present) throws IOException {
        return Optional.of(present ? in.readUTF() : "").filter(name -> !name.isEmpty());
    }
}
