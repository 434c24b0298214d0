package io.idem.workshop.chaos.stage;

import io.idem.OutgoingMessage;
import io.idem.consumer.internal.kafka.publish.OutgoingRecordCodec;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.outside.LedgerProbe;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;

/**
 * Rows of an outbox, as a process leaves them that dies between its commit and its publishing. Their scope is one that the workers name in
 * their settings. Thread-safe.
 */
public final class PlantedRows {

    private static final Duration LEAVE_WITHIN = Duration.ofMinutes(2);

    /** The number of bytes of an owner token. */
    private static final int OWNER = 12;

    private final LedgerProbe database;
    private final AtomicLong next = new AtomicLong();

    PlantedRows(LedgerProbe database) {
        this.database = database;
    }

    /** Plants a row with a copy of the message of a key of a lane. */
    public void good(String schema, Lane lane, String key) {
        plant(schema, "good", lane.rabbit() ? rabbit(Names.EXCHANGE, lane.id(), key) : kafka(lane.id(), key));
    }

    /** Plants rows that no broker takes: without an exchange, without a topic, and without a transport. */
    public void bad(String schema) {
        plant(schema, "bad", rabbit("there-is-no-such-exchange", "any", "bad"));
        plant(schema, "bad", kafka("no topic has this name!", "bad"));
        plant(schema, "bad", new OutgoingMessage("no-such-transport", "any", new byte[0]));
    }

    private static OutgoingMessage rabbit(String exchange, String routingKey, String key) {
        Message message = MessageBuilder.withBody(OutsideMessages.bytes(Names.BODY))
                .setContentType("application/json")
                .copyHeaders(OutsideMessages.headers(key))
                .build();
        return OutgoingRabbitMessage.of(new RabbitDestination(exchange, routingKey), new RoutedMessage(message, true))
                .encode(Optional.empty());
    }

    private static OutgoingMessage kafka(String topic, String key) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, OutsideMessages.bytes(key), OutsideMessages.bytes(Names.BODY));
        OutsideMessages.headers(key)
                .forEach((name, value) -> record.headers().add(name, OutsideMessages.bytes(value.toString())));
        return new OutgoingMessage("kafka", topic, OutgoingRecordCodec.encode(record));
    }

    /** Bad rows come first: those that are due earlier are taken earlier. */
    private void plant(String schema, String kind, OutgoingMessage message) {
        database.execute(
                "INSERT INTO " + schema + ".idem_record (key_id, scope, state, attempts, grant_kind, fence, owner, at,"
                        + " expires_at, relay_at, outgoing) VALUES ('" + kind
                        + "-" + next.incrementAndGet() + "', '" + Names.PLANTED + "', 2, 1, 0, 1, decode('" + "00".repeat(OWNER) + "', 'hex'), now(),"
                        + " now() + interval '1 day', now() - interval '"
                        + (kind.equals("bad") ? 2 : 1) + " minutes', decode('" + column(message) + "', 'hex'))");
    }

    /** Returns the column {@code outgoing} in hexadecimal digits; see docs/storage-format.md. */
    private static String column(OutgoingMessage message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(1);
            out.writeInt(1);
            for (byte[] part : new byte[][] {
                OutsideMessages.bytes(message.transport()),
                OutsideMessages.bytes(message.destination()),
                message.content()
            }) {
                out.writeInt(part.length);
                out.write(part);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    /**
     * Waits until the messages of all good rows have left, and removes the bad ones.
     *
     * @throws IllegalStateException if they do not leave
     */
    public void awaitGood(String schema) {
        String waiting = "SELECT count(*) FROM " + schema + ".idem_record WHERE scope = '" + Names.PLANTED
                + "' AND key_id LIKE 'good%' AND relay_at IS NOT NULL";
        boolean left = Waiting.until(
                LEAVE_WITHIN, () -> database.select(waiting).get(0).equals("0"));
        String stay = database.select(waiting).get(0);
        database.execute("DELETE FROM " + schema + ".idem_record WHERE scope = '" + Names.PLANTED + "'");
        if (!left) {
            throw new IllegalStateException(stay + " rows of " + schema + " had not left after " + LEAVE_WITHIN);
        }
    }
}
