package io.idem.http;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The JSON body of a request. A body that is not well-formed, or names a member twice, has no values: its handler might read another one
 * than the key was made of. Immutable.
 */
record JsonBody(JsonNode value) {

    /** A body without values. */
    static final JsonBody NONE = new JsonBody(MissingNode.getInstance());

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static JsonBody of(byte[] body) {
        try {
            return new JsonBody(JSON.readTree(body));
        } catch (JacksonException noValue) {
            return NONE;
        }
    }

    /** Returns the text, whole number or boolean at a pointer; empty if there is none, or a blank text. */
    Optional<String> at(String pointer) {
        JsonNode found = value.at(JsonPointer.compile(pointer));
        boolean scalar = found.isString() || found.isIntegralNumber() || found.isBoolean();
        return scalar ? Optional.of(found.asString()).filter(text -> !text.isBlank()) : Optional.empty();
    }
}
