package io.idem.consumer.internal.key;

import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import io.idem.internal.value.WellFormed;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a header's raw values as one text, or refuses them with the reason. Never guesses. */
public final class HeaderText {

    private static final char REPLACEMENT = '\uFFFD';

    private HeaderText() {}

    /**
     * Reads the text of a header.
     *
     * @return empty if there is no such header
     * @throws InvalidKeyException if its values differ from each other, or cannot be read as text
     */
    public static Optional<String> read(DeliveredMessage message, String name) {
        List<@Nullable Object> values = message.header(name);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        if (values.size() == 1) {
            return Optional.of(text(name, values.get(0)));
        }
        List<String> texts =
                values.stream().map(value -> text(name, value)).distinct().toList();
        if (texts.size() > 1) {
            throw new InvalidKeyException("Header " + name + " of " + message + " is there " + values.size()
                    + " times with different values; send it once");
        }
        return Optional.of(texts.get(0));
    }

    /** Reads the text of one raw value; {@code name} says in errors where it was found. */
    public static String text(String name, @Nullable Object value) {
        if (value == null) {
            throw new InvalidKeyException(name + " is null; send text, UTF-8 bytes or an integral number");
        }
        if (value instanceof byte[] bytes) {
            return undamaged(name, decode(name, bytes));
        }
        if (value instanceof CharSequence || value instanceof UUID || WellFormed.isIntegral(value)) {
            return undamaged(name, value.toString());
        }
        throw new InvalidKeyException(
                name + " is of type " + value.getClass().getName() + "; send text, UTF-8 bytes or an integral number");
    }

    /**
     * Refuses a text with U+FFFD, which client libraries put in the place of bytes that are not UTF-8: different keys
     * in Latin-1 would become one.
     */
    static String undamaged(String name, String text) {
        if (text.indexOf(REPLACEMENT) >= 0) {
            throw new InvalidKeyException(name + " has bytes that are not UTF-8; send text in UTF-8");
        }
        return text;
    }

    /**
     * Decodes the bytes of a text.
     *
     * @throws InvalidKeyException if the bytes are not UTF-8
     */
    static String decode(String name, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(name, bytes);
    }

    /** Decodes strictly, since a text may have the replacement character of its own. */
    private static String decodeStrictly(String name, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new InvalidKeyException(name + " holds " + bytes.length + " bytes that are not UTF-8; send text");
        }
    }
}
