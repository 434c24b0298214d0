package io.idem.gateway.service.schema;

import static io.idem.internal.value.Arguments.require;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.Resource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads schemas, each of which is one JSON object. */
final class SchemaDocument {

    private SchemaDocument() {}

    static JsonNode read(Resource resource) {
        try (InputStream in = resource.getInputStream()) {
            return parse(in.readAllBytes());
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    static JsonNode parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode parse(byte[] json) {
        try {
            JsonNode document = BoundedJson.read(json);
            require(document.isObject(), "is not a JSON object");
            return document;
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("is not well-formed JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }
}
