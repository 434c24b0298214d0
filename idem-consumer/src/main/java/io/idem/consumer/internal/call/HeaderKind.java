package io.idem.consumer.internal.call;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;

/**
 * The kinds of single values that headers of a stored reply may have: the letter that names a kind, its class, and how
 * it is written.
 */
@SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
enum HeaderKind {
    TEXT('S', String.class, (value, out) -> writeText((String) value, out), HeaderKind::readText),
    BYTES('X', byte[].class, (value, out) -> writeBytes((byte[]) value, out), HeaderKind::readBytes),
    BOOLEAN('Z', Boolean.class, (value, out) -> out.writeBoolean((Boolean) value), DataInputStream::readBoolean),
    BYTE('B', Byte.class, (value, out) -> out.writeByte((Byte) value), DataInputStream::readByte),
    SHORT('H', Short.class, (value, out) -> out.writeShort((Short) value), DataInputStream::readShort),
    INTEGER('I', Integer.class, (value, out) -> out.writeInt((Integer) value), DataInputStream::readInt),
    LONG('J', Long.class, (value, out) -> out.writeLong((Long) value), DataInputStream::readLong),
    FLOAT('F', Float.class, (value, out) -> out.writeFloat((Float) value), DataInputStream::readFloat),
    DOUBLE('D', Double.class, (value, out) -> out.writeDouble((Double) value), DataInputStream::readDouble),
    DECIMAL(
            'N',
            BigDecimal.class,
            (value, out) -> writeText(value.toString(), out),
            in -> new BigDecimal(readText(in))),
    DATE(
            'T',
            Date.class,
            (value, out) -> out.writeLong(((Date) value).toInstant().toEpochMilli()),
            in -> Date.from(Instant.ofEpochMilli(in.readLong()))),
    UNIQUE_ID('U', UUID.class, (value, out) -> writeText(value.toString(), out), in -> UUID.fromString(readText(in)));

    private final int letter;
    private final Class<?> type;
    private final Writer writer;
    private final Reader reader;

    HeaderKind(char letter, Class<?> type, Writer writer, Reader reader) {
        this.letter = letter;
        this.type = type;
        this.writer = writer;
        this.reader = reader;
    }

    /** Returns the kind of a value; empty if it cannot be stored. */
    static Optional<HeaderKind> of(Object value) {
        return Arrays.stream(values())
                .filter(kind -> kind.type == value.getClass())
                .findFirst();
    }

    /**
     * Returns the kind of a letter.
     *
     * @throws IOException if there is none, as in a reply that a newer version wrote
     */
    static HeaderKind named(int letter) throws IOException {
        return Arrays.stream(values())
                .filter(kind -> kind.letter == letter)
                .findFirst()
                .orElseThrow(
                        () -> new IOException("A header is of kind " + letter + ", which this version does not know"));
    }

    void write(Object value, DataOutputStream out) throws IOException {
        out.writeByte(letter);
        writer.write(value, out);
    }

    /** Reads a value that follows its letter. */
    Object read(DataInputStream in) throws IOException {
        return reader.read(in);
    }

    static void writeText(String text, DataOutputStream out) throws IOException {
        writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
    }

    static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("A part of " + length + " bytes, but only " + in.available() + " are left");
        }
        return in.readNBytes(length);
    }

    @FunctionalInterface
    private interface Writer {
        void write(Object value, DataOutputStream out) throws IOException;
    }

    @FunctionalInterface
    private interface Reader {
        Object read(DataInputStream in) throws IOException;
    }
}
