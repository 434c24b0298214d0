package io.idem.jdbc.internal;

import io.idem.OutgoingMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of the column {@code outgoing}: empty for no messages; else the version as one byte, the number of
 * messages, and for each its transport, destination and content. Numbers have four bytes, high byte first; each part
 * follows its length, texts are UTF-8.
 */
public final class OutgoingCodec {

    private static final int VERSION = 1;
    private static final byte[] NOTHING = {};

    private OutgoingCodec() {}

    public static byte[] encode(List<OutgoingMessage> messages) {
        if (messages.isEmpty()) {
            return NOTHING;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(messages.size());
            for (OutgoingMessage message : messages) {
                write(out, message.transport().getBytes(StandardCharsets.UTF_8));
                write(out, message.destination().getBytes(StandardCharsets.UTF_8));
                write(out, message.content());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, byte[] part) throws IOException {
        out.writeInt(part.length);
        out.write(part);
    }

    /**
     * Reads the column.
     *
     * @throws IllegalStateException if it has another version or is cut off
     */
    public static List<OutgoingMessage> decode(byte[] column) {
        if (column.length == 0) {
            return List.of();
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
            requireVersion(in.readUnsignedByte());
            return read(in);
        } catch (IOException cut) {
            throw new IllegalStateException(
                    "The column outgoing of an inbox row is cut short; its messages cannot be sent", cut);
        }
    }

    private static void requireVersion(int version) {
        if (version != VERSION) {
            throw new IllegalStateException("The column outgoing of an inbox row has version " + version
                    + ", and this idem reads " + VERSION + "; upgrade idem, the message stays with the broker");
        }
    }

    private static List<OutgoingMessage> read(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(new OutgoingMessage(text(part(in)), text(part(in)), part(in)));
        }
        return messages;
    }

    private static byte[] part(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new EOFException("A part of " + length + " bytes, but only " + in.available() + " are left");
        }
        return in.readNBytes(length);
    }

    private static String text(byte[] part) {
        return new String(part, StandardCharsets.UTF_8);
    }
}
