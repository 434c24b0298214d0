package io.idem.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.internal.ComparedResults;
import io.idem.internal.UntypedValues;
import io.idem.internal.value.ReadOnce;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps results as JSON of Jackson 3 under the codec name {@value #CODEC}. Also reads what earlier versions stored with
 * Jackson 2, under {@value #JACKSON_2}. A null result, such as that of a void method, is stored as
 * {@link StoredResult#NONE}. Numbers without a type are read as {@link java.math.BigDecimal} unless they are whole.
 * Thread-safe.
 */
public final class JacksonResultCodec implements ResultCodec, ComparedResults {

    /** The name under which results are stored. */
    public static final String CODEC = "json";

    /** The name under which earlier versions stored results with Jackson 2. */
    public static final String JACKSON_2 = "jackson2";

    private final JsonMapper mapper;
    private final JsonMapper allFields;
    private final ObjectReader reader;

    /** Reads what is compared, without the application's features, such as root names, types and arrays for lists. */
    private final ObjectReader untyped;

    /** Creates a codec with the application's own mapper, so that results look like its other JSON. */
    public JacksonResultCodec(JsonMapper mapper) {
        this.mapper = mapper;
        this.allFields = withAllFields(mapper.rebuild());
        this.untyped = JsonMapper.builder(mapper.tokenStreamFactory())
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build()
                .readerFor(Object.class);
        this.reader = mapper.reader()
                .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .without(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE);
    }

    private static JsonMapper withAllFields(JsonMapper.Builder copy) {
        return copy.annotationIntrospector(AnnotationIntrospector.pair(new AllFields(), copy.annotationIntrospector()))
                .serializerFactory(copy.serializerFactory().withSerializerModifier(new DerivedProperties()))
                .build();
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
        if (ReadOnce.is(value.getClass())) {
            throw new ResultCodecException("A result of " + value.getClass().getName()
                    + " can be read once, by its caller; return a list, an array or bytes");
        }
        try {
            return StoredResult.of(CODEC, mapper.writeValueAsBytes(value));
        } catch (RuntimeException unwritable) {
            throw new ResultCodecException(
                    "A result of " + value.getClass().getName() + " cannot be written as JSON (" + reason(unwritable)
                            + "); return a type that Jackson can write, or define a ResultCodec bean",
                    unwritable);
        }
    }

    @Override
    public @Nullable Object decode(StoredResult result, Type type) {
        if (result.equals(StoredResult.NONE) || type == void.class || type == Void.class) {
            return null;
        }
        if (!result.codec().equals(CODEC) && !result.codec().equals(JACKSON_2)) {
            throw new ResultCodecException("A stored result was written by codec \"" + result.codec()
                    + "\", which is not \"" + CODEC + "\"; define a ResultCodec bean that reads both");
        }
        try {
            return read(result.content(), mapper.constructType(type));
        } catch (RuntimeException unreadable) {
            throw new ResultCodecException(
                    "A stored result does not fit " + type.getTypeName() + " (" + reason(unreadable)
                            + "); keep that type able to read what it wrote before, for example by @JsonAlias",
                    unreadable);
        }
    }

    /** Reads a value that has lost nothing of what was stored. */
    private @Nullable Object read(byte[] stored, JavaType type) {
        Object value = reader.forType(type).readValue(stored);
        UntypedValues.lost(untyped.readValue(stored), known(value)).ifPresent(lost -> {
            throw new IllegalArgumentException(lost);
        });
        return value;
    }

    private @Nullable Object known(@Nullable Object read) {
        return untyped.readValue(allFields.writeValueAsBytes(read));
    }

    @Override
    public boolean same(StoredResult first, StoredResult again, @Nullable Object read) {
        return UntypedValues.same(untyped.readValue(first.content()), untyped.readValue(again.content()), known(read));
    }

    private static String reason(Exception failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static final class AllFields extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated field) {
            return JsonInclude.Value.construct(Include.ALWAYS, Include.ALWAYS);
        }
    }
}
