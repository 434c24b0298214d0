package io.idem.consumer.internal.kafka.publish;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Format of a record in an inbox row: the version as one byte; topic; partition, -1 for any; timestamp, -1 for none;
 * key; value; the number of headers, and each one's name and value. Numbers have four bytes, the timestamp eight, high
 * byte first. Each part has its length in front, -1 for null; texts are UTF-8.
 */
public final class OutgoingRecordCodec {

    private static final int VERSION = 1;
    private static final int NONE = -1;

    private OutgoingRecordCodec() {}

    public static byte[] encode(ProducerRecord<byte[], byte[]> record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            write(out, utf8(record.topic()));
            out.writeInt(record.partition() == null ? NONE : record.partition());
            out.writeLong(record.timestamp() == null ? NONE : record.timestamp());
            write(out, record.key());
            write(out, record.value());
            writeHeaders(out, record.headers().toArray());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void writeHeaders(DataOutputStream out, Header[] headers) throws IOException {
        out.writeInt(headers.length);
        for (Header header : headers) {
            write(out, utf8(header.key()));
            write(out, header.value());
        }
    }

    private static void write(DataOutputStream out, byte @Nullable [] part) throws IOException {
        out.writeInt(part == null ? NONE : part.length);
        if (part != null) {
            out.write(part);
        }
    }

    /**
     * Reads a record.
     *
     * @throws IllegalStateException if it has another version, or is cut
     */
    static ProducerRecord<byte[], byte[]> decode(byte[] content) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new IllegalStateException("A Kafka record kept in an inbox row has version " + version
                        + ", and this idem reads " + VERSION + "; upgrade idem");
            }
            return read(in);
        } catch (IOException cut) {
            throw new IllegalStateException("A Kafka record kept in an inbox row is cut short", cut);
        }
    }

    private static ProducerRecord<byte[], byte[]> read(DataInputStream in) throws IOException {
        String topic = text(in);
        int partition = in.readInt();
        long timestamp = in.readLong();
        byte[] key = part(in);
        byte[] value = part(in);
        return new ProducerRecord<>(
                topic,
                partition == NONE ? null : partition,
                timestamp == NONE ? null : timestamp,
                key,
                value,
                headers(in));
    }

    private static Headers headers(DataInputStream in) throws IOException {
        Headers headers = new RecordHeaders();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            headers.add(text(in), part(in));
        }
        return headers;
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] part = part(in);
        if (part == null) {
            throw new IOException("A text is missing");
        }
        return new String(part, StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] part(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < NONE || length > in.available()) {
            throw new IOException("A part of " + length + " bytes, but only " + in.available() + " are left");
        }
        return length == NONE ? null : in.readNBytes(length);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
