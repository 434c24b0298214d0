package io.idem.consumer.internal.kafka.message;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Values that a header mapper of Spring has encoded as JSON texts. It writes the types of all values that it mapped into
 * a header of their own, and reads a value in quotes as JSON only if that names it.
 */
final class JsonHeaders {

    private static final String TYPES = "spring_json_header_types";

    private JsonHeaders() {}

    /** Returns the text without quotes and escapes, or the very value if no mapper says that it is a JSON text. */
    static byte @Nullable [] value(Header header, Headers all) {
        byte[] value = header.value();
        Header types = all.lastHeader(TYPES);
        boolean quoted = value != null && value.length > 1 && value[0] == '"';
        if (!quoted
                || types == null
                || types.value() == null
                || !ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", null)) {
            return value;
        }
        return Parser.value(header.key(), value, types.value());
    }

    /** Apart from its outer class, which is loaded where Jackson 3 is absent: a caught exception alone would keep it from loading. */
    private static final class Parser {

        private static final JsonMapper JSON = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();

        static byte[] value(String name, byte[] value, byte[] types) {
            try {
                return JSON.readTree(types).has(name)
                        ? JSON.readTree(value).asString().getBytes(StandardCharsets.UTF_8)
                        : value;
            } catch (JacksonException noJson) {
                return value;
            }
        }
    }
}
