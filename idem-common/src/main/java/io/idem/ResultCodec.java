package io.idem;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Turns the result of a piece of work into bytes that a store keeps, and back. Implementations are thread-safe. */
public interface ResultCodec {

    /**
     * Its name, under which it stores results and by which they find back to it: 1 to 32 printable ASCII characters, not
     * starting with {@value StoredResult#RESERVED_PREFIX}. Never changes, and a codec that cannot read what an earlier one wrote has another name.
     */
    String name();

    /**
     * Encodes a result; called before the work commits, so that a result that cannot be stored still rolls it back.
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
