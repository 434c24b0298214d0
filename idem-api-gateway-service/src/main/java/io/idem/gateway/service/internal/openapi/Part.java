package io.idem.gateway.service.internal.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * A part of a description, from a file of templates. A text or name {@code ${value}} stands for a value; where there is none, the
 * member or element is left out.
 */
final class Part {

    static final JsonMapper JSON = JsonMapper.builder().build();

    private static final JsonNode TEMPLATES = templates();
    private static final Pattern VALUE = Pattern.compile("\\$\\{(\\w+)}");

    private final JsonNode template;
    private final Map<String, JsonNode> values = new HashMap<>();

    private Part(JsonNode template) {
        this.template = template;
    }

    static Part named(String name) {
        return new Part(Objects.requireNonNull(TEMPLATES.get(name), name));
    }

    private static JsonNode templates() {
        try {
            return JSON.readTree(new ClassPathResource("META-INF/idem/openapi/parts.json", Part.class.getClassLoader())
                    .getContentAsByteArray());
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** @param value none if it is an empty {@code Optional} */
    Part with(String name, Object value) {
        Optional<?> present = value instanceof Optional<?> optional ? optional : Optional.of(value);
        present.ifPresent(given -> values.put(name, JSON.valueToTree(given)));
        return this;
    }

    JsonNode json() {
        return filled(template);
    }

    private JsonNode filled(JsonNode part) {
        if (part.isObject()) {
            ObjectNode object = JSON.createObjectNode();
            part.properties().forEach(member -> {
                JsonNode name = text(member.getKey());
                JsonNode value = filled(member.getValue());
                if (!name.isMissingNode() && !value.isMissingNode()) {
                    object.set(name.asString(), value);
                }
            });
            return object;
        }
        if (part.isArray()) {
            ArrayNode array = JSON.createArrayNode();
            part.valueStream()
                    .map(this::filled)
                    .filter(value -> !value.isMissingNode())
                    .forEach(array::add);
            return array;
        }
        return part.isString() ? text(part.asString()) : part;
    }

    private JsonNode text(String text) {
        Matcher found = VALUE.matcher(text);
        return found.matches()
                ? value(found.group(1))
                : StringNode.valueOf(found.replaceAll(
                        one -> Matcher.quoteReplacement(value(one.group(1)).asString(""))));
    }

    private JsonNode value(String name) {
        return values.getOrDefault(name, MissingNode.getInstance());
    }
}
