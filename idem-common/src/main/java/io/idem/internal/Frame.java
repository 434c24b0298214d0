package io.idem.internal;

import io.idem.StoredResult;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * Encodes an ASCII text and parts as one array: the length of the text, the text, the parts to the end. The text of a
 * result is its codec's name, and {@code NONE} is an empty array.
 */
public final class Frame {

    private Frame() {}

    public static byte[] of(StoredResult result) {
        return result.equals(StoredResult.NONE) ? new byte[0] : of(result.codec(), result.content());
    }

    /** Returns an ASCII text of at most 255 characters behind its length, and the parts. */
    public static byte[] of(String text, byte[]... parts) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        int size = Stream.of(parts).mapToInt(part -> part.length).sum();
        ByteBuffer frame = ByteBuffer.allocate(1 + ascii.length + size);
        frame.put((byte) ascii.length).put(ascii);
        Stream.of(parts).forEach(frame::put);
        return frame.array();
    }

    /**
     * Returns the result in a frame.
     *
     * @throws BufferUnderflowException if the frame is cut off
     * @throws IllegalArgumentException if it has no codec name
     */
    public static StoredResult read(byte[] frame) {
        if (frame.length == 0) {
            return StoredResult.NONE;
        }
        ByteBuffer in = ByteBuffer.wrap(frame);
        String codec = text(in);
        return StoredResult.of(codec, bytes(in, in.remaining()));
    }

    /** Reads a short ASCII text that follows its length. */
    public static String text(ByteBuffer in) {
        return new String(bytes(in, Byte.toUnsignedInt(in.get())), StandardCharsets.US_ASCII);
    }

    /**
     * Reads bytes.
     *
     * @throws BufferUnderflowException if they are cut off
     */
    public static byte[] bytes(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
