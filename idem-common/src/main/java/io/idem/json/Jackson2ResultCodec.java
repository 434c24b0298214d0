package io.idem.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import io.idem.StoredResult;

/**
 * Keeps results as JSON of Jackson 2 under the codec name {@value #CODEC}. A null result, such as that of a void
 * method, is stored as {@link StoredResult#NONE}. Numbers without a type are read as {@link java.math.BigDecimal} unless they are whole.
 * Thread-safe.
 */
public final class Jackson2ResultCodec extends JsonCodec {

    /** The name under which results are stored. */
    public static final String CODEC = "jackson2";

    /** Creates a codec with the application's own mapper, so that results look like its other JSON. */
    public Jackson2ResultCodec(ObjectMapper mapper) {
        this(
                mapper,
                mapper.reader()
                        .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                        .without(
                                DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
                                DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                                DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                                DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                                DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES));
    }

    private Jackson2ResultCodec(ObjectMapper mapper, ObjectReader reader) {
        super(
                CODEC,
                mapper::writeValueAsBytes,
                new AllFields(mapper)::writeValueAsBytes,
                (content, type) -> reader.forType(mapper.constructType(type)).readValue(content));
    }

    /** A copy of a mapper of any class, which need not allow to be copied. */
    private static final class AllFields extends ObjectMapper {

        private static final long serialVersionUID = 1L;

        AllFields(ObjectMapper of) {
            super(of);
            disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
            AnnotationIntrospector all = new NopAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                @Override
                public JsonInclude.Value findPropertyInclusion(Annotated field) {
                    return JsonInclude.Value.construct(Include.ALWAYS, Include.ALWAYS);
                }
            };
            setAnnotationIntrospector(
                    AnnotationIntrospector.pair(all, of.getSerializationConfig().getAnnotationIntrospector()));
        }
    }
}
