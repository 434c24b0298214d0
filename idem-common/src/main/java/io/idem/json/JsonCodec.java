package io.idem.json;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.internal.UntypedValues;
import java.io.IOException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Keeps results as JSON of either version of Jackson. */
abstract class JsonCodec implements ResultCodec {

    private final String name;
    private final Writer mapper;
    private final Writer allFields;
    private final Reader reader;

    /**
     * Creates a codec.
     *
     * @param allFields writes fields without a value too
     * @param reader leaves out the fields that a type does not know
     */
    JsonCodec(String name, Writer mapper, Writer allFields, Reader reader) {
        this.name = name;
        this.mapper = mapper;
        this.allFields = allFields;
        this.reader = reader;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final StoredResult encode(@Nullable Object value) {
        if (value == null) {
            return StoredResult.NONE;
        }
        try {
            return StoredResult.of(name, mapper.write(value));
        } catch (IOException | RuntimeException unwritable) {
            throw new ResultCodecException(
                    "A result of " + value.getClass().getName() + " cannot be written as JSON (" + reason(unwritable)
                            + "); return a type that Jackson can write, or define a ResultCodec bean",
                    unwritable);
        }
    }

    @Override
    public final @Nullable Object decode(StoredResult result, Type type) {
        if (result.equals(StoredResult.NONE) || type == void.class || type == Void.class) {
            return null;
        }
        if (!result.codec().equals(name)) {
            throw new ResultCodecException("A stored result was written by codec \"" + result.codec()
                    + "\", which is not \"" + name + "\"; define a ResultCodec bean that reads both");
        }
        try {
            return read(result.content(), type);
        } catch (IOException | RuntimeException unreadable) {
            throw new ResultCodecException(
                    "A stored result does not fit " + type.getTypeName() + " (" + reason(unreadable)
                            + "); keep that type able to read what it wrote before, for example by @JsonAlias",
                    unreadable);
        }
    }

    /** Reads a value that has lost nothing of what was stored. */
    private @Nullable Object read(byte[] stored, Type type) throws IOException {
        Object value = reader.read(stored, type);
        Object known = value == null ? null : reader.read(allFields.write(value), Object.class);
        UntypedValues.lost(reader.read(stored, Object.class), known).ifPresent(lost -> {
            throw new IllegalArgumentException(lost);
        });
        return value;
    }

    private static String reason(Exception failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    interface Writer {
        byte[] write(Object value) throws IOException;
    }

    interface Reader {
        @Nullable Object read(byte[] content, Type type) throws IOException;
    }
}
