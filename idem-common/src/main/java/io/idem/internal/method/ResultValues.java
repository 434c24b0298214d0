package io.idem.internal.method;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encodes and decodes the values that a method returns. */
record ResultValues(ResultCodec codec, MethodDefinition definition) {

    private static final Logger LOG = LoggerFactory.getLogger(ResultValues.class);

    /**
     * Encodes the value of the method. Inside the transaction of an inbox a value that cannot be stored rolls the work back; otherwise the
     * work may be committed already, and only its answer to duplicates is given up.
     *
     * @throws IllegalStateException if the value stands for work that is not done yet
     */
    StoredResult encode(@Nullable Object value) {
        if (value == null) {
            return StoredResult.NONE;
        }
        MethodShape.requireNow(definition.method(), value);
        try {
            return codec.encode(value);
        } catch (ResultCodecException unfit) {
            if (definition.inbox() != null) {
                throw unfit;
            }
            LOG.warn(
                    "{} returned a value that cannot be stored ({}); it counts as done, and its duplicates end in an exception",
                    definition,
                    unfit.getMessage());
            return StoredResult.OMITTED;
        }
    }

    /**
     * Decodes a stored value.
     *
     * @throws ResultCodecException if it was not kept, or cannot be read any more
     */
    @Nullable Object decode(StoredResult result) {
        if (definition.valueType() == void.class || definition.valueType() == Void.class) {
            return null;
        }
        boolean primitive = definition.valueType() instanceof Class<?> type && type.isPrimitive();
        if (result.equals(StoredResult.OMITTED) || (primitive && result.equals(StoredResult.NONE))) {
            throw new ResultCodecException(
                    definition + " was done before, and its value was not kept: it was too large, could not"
                            + " be stored, was erased, or the record was completed without one");
        }
        return result.equals(StoredResult.NONE) ? null : codec.decode(result, definition.valueType());
    }
}
