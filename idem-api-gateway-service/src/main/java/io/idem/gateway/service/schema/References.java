package io.idem.gateway.service.schema;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Checks the references of a schema: all must stay within it, so that nothing is fetched and it can be published
 * unchanged.
 */
final class References {

    private static final Set<String> KEYWORDS = Set.of("$ref", "$dynamicRef");

    private final JsonNode document;
    private final Set<String> anchors = new HashSet<>();

    private References(JsonNode document) {
        this.document = document;
        List.of("$anchor", "$dynamicAnchor")
                .forEach(keyword -> document.findValuesAsString(keyword).forEach(name -> anchors.add("#" + name)));
        anchors.addAll(document.findValuesAsString("$id"));
    }

    /**
     * Checks that all references stay within the schema.
     *
     * @throws IllegalArgumentException if one leads out of the schema, or nowhere; the message names it
     */
    static void requireWithin(JsonNode document) {
        new References(document).checkAll(document);
    }

    private void checkAll(JsonNode schema) {
        schema.properties().forEach(member -> check(schema, member.getKey(), member.getValue()));
        if (schema.isArray()) {
            schema.forEach(this::checkAll);
        }
    }

    private void check(JsonNode schema, String keyword, JsonNode value) {
        if (Keywords.holdsNames(keyword)) {
            value.forEach(this::checkAll);
        } else if (value.isString() && KEYWORDS.contains(keyword)) {
            check(value.asString());
        } else if (value.isString() && keyword.equals("$id") && !schema.equals(document)) {
            checkId(value.asString());
        } else if (!Keywords.holdsData(keyword)) {
            checkAll(value);
        }
    }

    private void check(String reference) {
        if (!reference.startsWith("#")) {
            throw new IllegalArgumentException("refers to \"" + reference
                    + "\", which is not part of it; put that under $defs and refer to it as #/$defs/name");
        }
        if (reference.length() > 1 && !found(reference)) {
            throw new IllegalArgumentException("refers to \"" + reference + "\", which it does not have");
        }
    }

    private boolean found(String reference) {
        return reference.startsWith("#/")
                ? !document.at(URLDecoder.decode(reference.substring(1), StandardCharsets.UTF_8))
                        .isMissingNode()
                : anchors.contains(reference);
    }

    /** Refuses an {@code $id} inside the schema, because references would be relative to it. */
    private static void checkId(String id) {
        if (!id.startsWith("#")) {
            throw new IllegalArgumentException("has the $id \"" + id + "\" within; only the whole schema may have one");
        }
    }
}
