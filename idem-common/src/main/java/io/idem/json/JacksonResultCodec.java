package io.idem.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.idem.StoredResult;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps results as JSON of Jackson 3 under the codec name {@value #CODEC}. A null result, such as that of a void
 * method, is stored as {@link StoredResult#NONE}. Numbers without a type are read as {@link java.math.BigDecimal} unless they are whole.
 * Thread-safe.
 */
public final class JacksonResultCodec extends JsonCodec {

    /** The name under which results are stored. */
    public static final String CODEC = "json";

    /** Creates a codec with the application's own mapper, so that results look like its other JSON. */
    public JacksonResultCodec(JsonMapper mapper) {
        this(
                mapper,
                mapper.reader()
                        .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                        .without(
                                DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                                DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                                DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                                DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                        .without(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE));
    }

    private JacksonResultCodec(JsonMapper mapper, ObjectReader reader) {
        super(
                CODEC,
                mapper::writeValueAsBytes,
                withAllFields(mapper.rebuild())::writeValueAsBytes,
                (content, type) -> reader.forType(mapper.constructType(type)).readValue(content));
    }

    private static JsonMapper withAllFields(JsonMapper.Builder copy) {
        return copy.annotationIntrospector(AnnotationIntrospector.pair(new AllFields(), copy.annotationIntrospector()))
                .build();
    }

    private static final class AllFields extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated field) {
            return JsonInclude.Value.construct(Include.ALWAYS, Include.ALWAYS);
        }
    }
}
