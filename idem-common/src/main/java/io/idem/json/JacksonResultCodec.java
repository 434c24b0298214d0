package io.idem.json;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps results as JSON of Jackson 3 under the codec name {@value #CODEC}. A null result, such as that of a void
 * method, is stored as {@link StoredResult#NONE}. Thread-safe.
 */
public final class JacksonResultCodec implements ResultCodec {

    /** The name under which results are stored. */
    public static final String CODEC = "json";

    private final JsonMapper mapper;

    /** Creates a codec with the application's own mapper, so that results look like its other JSON. */
    public JacksonResultCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public String name() {
        return CODEC;
    }

    @Override
    public StoredResult encode(@Nullable Object value) {
        if (value == null) {
            return StoredResult.NONE;
        }
        try {
            return StoredResult.of(CODEC, mapper.writeValueAsBytes(value));
        } catch (JacksonException unwritable) {
            throw new ResultCodecException(
                    "A result of " + value.getClass().getName() + " cannot be written as JSON ("
                            + unwritable.getOriginalMessage()
                            + "); return a type that Jackson can write, or define a ResultCodec bean",
                    unwritable);
        }
    }

    @Override
    public @Nullable Object decode(StoredResult result, Type type) {
        if (result.equals(StoredResult.NONE) || type == void.class || type == Void.class) {
            return null;
        }
        if (!result.codec().equals(CODEC)) {
            throw new ResultCodecException("A stored result was written by codec \"" + result.codec()
                    + "\", which is not \"" + CODEC + "\"; define a ResultCodec bean that reads both");
        }
        try {
            return mapper.readValue(result.content(), mapper.constructType(type));
        } catch (JacksonException unreadable) {
            throw new ResultCodecException(
                    "A stored result does not fit " + type.getTypeName() + " (" + unreadable.getOriginalMessage()
                            + "); keep that type able to read what it wrote before",
                    unreadable);
        }
    }
}
