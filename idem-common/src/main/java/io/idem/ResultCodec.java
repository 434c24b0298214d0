package io.idem;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Turns the result of a piece of work into bytes that a store keeps, and back. Implementations are thread-safe. */
public interface ResultCodec {

    /**
     * Returns the name that is stored with each result and by which the codec is found again: 1 to 32 printable ASCII
     * characters, not starting with {@value StoredResult#RESERVED_PREFIX}. Never changes; a codec that cannot read the
     * results of an earlier one has another name.
     */
    String name();

    /**
     * Encodes a result. Called before the work commits, so that a result that cannot be stored still rolls it back.
     *
     * @throws ResultCodecException if the value cannot be encoded
     */
    StoredResult encode(@Nullable Object value);

    /**
     * Decodes a stored result.
     *
     * @throws ResultCodecException if another codec wrote it, or it does not fit the type
     */
    @Nullable Object decode(StoredResult result, Type type);
}
