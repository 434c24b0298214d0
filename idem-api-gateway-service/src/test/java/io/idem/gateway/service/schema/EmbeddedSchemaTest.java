package io.idem.gateway.service.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EmbeddedSchemaTest {

    @Test
    void referencesStartFromTheNewRootAndDataStaysAsItIs() {
        JsonSchemaCheck check = JsonSchemaCheck.of("""
                {"$id": "https://example.com/a.json", "$schema": "https://json-schema.org/draft/2020-12/schema",
                 "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#"}, {"$ref": "#anchor"}],
                 "const": {"$ref": "#/$defs/a"},
                 "properties": {"default": {"$ref": "#/$defs/a"}, "$ref": {"type": "string"}},
                 "$defs": {"a": {"$anchor": "anchor", "examples": [{"$ref": "#/x"}]}}}
                """);

        assertThat(check.documentAt("#/here")).isEqualTo(json("""
                {"$schema": "https://json-schema.org/draft/2020-12/schema",
                 "allOf": [{"$ref": "#/here/$defs/a"}, {"$ref": "#/here"}, {"$ref": "#anchor"}],
                 "const": {"$ref": "#/$defs/a"},
                 "properties": {"default": {"$ref": "#/here/$defs/a"}, "$ref": {"type": "string"}},
                 "$defs": {"a": {"$anchor": "anchor", "examples": [{"$ref": "#/x"}]}}}
                """));
    }

    private static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree(text);
    }
}
