package io.idem.gateway.service.schema;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A schema inside another document, where its references start from another root. */
record EmbeddedSchema(String root) {

    /** Returns the schema without its own {@code $id}, from which references would start. */
    static JsonNode at(String root, JsonNode schema) {
        ObjectNode moved = (ObjectNode) new EmbeddedSchema(root).schema(schema);
        moved.remove("$id");
        return moved;
    }

    private JsonNode schema(JsonNode node) {
        if (node.isObject()) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            node.properties().forEach(member -> copy.set(member.getKey(), keyword(member.getKey(), member.getValue())));
            return copy;
        }
        if (node.isArray()) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> copy.add(schema(element)));
            return copy;
        }
        return node;
    }

    private JsonNode keyword(String keyword, JsonNode value) {
        if (Keywords.holdsData(keyword)) {
            return value.deepCopy();
        }
        if (Keywords.holdsNames(keyword) && value.isObject()) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            value.properties().forEach(member -> copy.set(member.getKey(), schema(member.getValue())));
            return copy;
        }
        return keyword.equals("$ref") && isPointer(value.asString(""))
                ? JsonNodeFactory.instance.stringNode(root + value.asString().substring(1))
                : schema(value);
    }

    /** Returns whether a reference is a pointer. Anchors are valid in the whole document and stay unchanged. */
    private static boolean isPointer(String reference) {
        return reference.equals("#") || reference.startsWith("#/");
    }
}
