package io.idem.internal;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Keeps bytes and text unchanged under the codec name {@value #CODEC}: {@code byte[]} and, in UTF-8, {@link String}.
 * Needs no library. Thread-safe.
 */
public final class RawResultCodec implements ResultCodec {

    /** The name under which results are stored. */
    public static final String CODEC = "raw";

    @Override
    public String name() {
        return CODEC;
    }

    @Override
    public StoredResult encode(@Nullable Object value) {
        if (value == null) {
            return StoredResult.NONE;
        }
        if (value instanceof byte[] bytes) {
            return StoredResult.of(CODEC, bytes);
        }
        if (value instanceof String text) {
            return StoredResult.of(CODEC, text.getBytes(StandardCharsets.UTF_8));
        }
        throw new ResultCodecException(
                "A result of " + value.getClass().getName() + " is neither byte[] nor String, and codec \"" + CODEC
                        + "\" stores nothing else; choose another idem.result.codec");
    }

    @Override
    public @Nullable Object decode(StoredResult result, Type type) {
        if (result.equals(StoredResult.NONE)) {
            return null;
        }
        if (!result.codec().equals(CODEC)) {
            throw new ResultCodecException(
                    "A stored result was written by codec \"" + result.codec() + "\", which is not \"" + CODEC + "\"");
        }
        if (type == byte[].class || type == Object.class) {
            return result.content();
        }
        if (type == String.class || type == CharSequence.class) {
            return new String(result.content(), StandardCharsets.UTF_8);
        }
        throw new ResultCodecException("A stored result of codec \"" + CODEC + "\" is read as byte[] or String, not as "
                + type.getTypeName() + "; keep the type that the work had when it was stored");
    }
}
