package io.idem.consumer.internal.kafka.message;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values that a header mapper of Spring has encoded as JSON texts. It writes the types of all values that it mapped into
 * a header of their own, and reads a value in quotes as JSON only if that names it.
 */
public final class JsonHeaders {

    private static final String TYPES = "spring_json_header_types";

    private JsonHeaders() {}

    /** Returns the text without quotes and escapes, or the very value if no mapper says that it is a JSON text. */
    public static byte @Nullable [] value(Header header, Headers all) {
        byte[] value = header.value();
        Header types = all.lastHeader(TYPES);
        boolean quoted = value != null && value.length > 1 && value[0] == '"';
        return quoted && types != null && isReadable(types) ? Parser.value(header.key(), value, types.value()) : value;
    }

    private static boolean isReadable(Header types) {
        return types.value() != null && ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", null);
    }

    /** Returns the headers without those of some names and without what a mapper says of their types. */
    public static Headers without(Set<String> names, Headers all) {
        Headers left = new RecordHeaders();
        for (Header header : all) {
            if (header.key().equals(TYPES) && !names.isEmpty() && isReadable(header)) {
                left.add(TYPES, Parser.without(names, header.value()));
            } else if (!names.contains(header.key())) {
                left.add(header);
            }
        }
        return left;
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

        static byte[] without(Set<String> names, byte[] types) {
            try {
                return JSON.readTree(types) instanceof ObjectNode known
                        ? JSON.writeValueAsBytes(known.without(names))
                        : types;
            } catch (JacksonException noJson) {
                return types;
            }
        }
    }
}
