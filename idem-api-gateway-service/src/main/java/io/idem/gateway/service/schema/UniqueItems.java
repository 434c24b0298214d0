package io.idem.gateway.service.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.BaseKeywordValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordType;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import java.math.BigDecimal;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * The keyword {@code uniqueItems}, implemented by order instead of hash codes: items with equal hash codes would cost
 * quadratic time. Compared characters count as work of the evaluation.
 */
final class UniqueItems implements Keyword {

    @Override
    public String getValue() {
        return KeywordType.UNIQUE_ITEMS.getValue();
    }

    @Override
    public KeywordValidator newValidator(SchemaLocation location, JsonNode said, Schema parent, SchemaContext context) {
        return new Validator(this, location, said, parent, context);
    }

    /**
     * Writes an item so that equal items have equal texts: numbers by their value, members of objects in the order of
     * their names.
     */
    private static void write(JsonNode item, StringBuilder text) {
        if (item.isObject()) {
            TreeMap<String, JsonNode> members = new TreeMap<>();
            item.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            text.append('{');
            members.forEach((name, value) -> {
                write(name, text);
                write(value, text);
            });
            text.append('}');
        } else if (item.isArray()) {
            text.append('[');
            item.forEach(element -> write(element, text));
            text.append(']');
        } else if (item.isNumber()) {
            BigDecimal number = item.decimalValue();
            text.append(number.signum() == 0 ? "0" : number.stripTrailingZeros().toString())
                    .append(';');
        } else if (item.isString()) {
            write(item.stringValue(), text);
        } else {
            text.append(item);
        }
    }

    private static void write(String characters, StringBuilder text) {
        text.append('"').append(characters.length()).append(':').append(characters);
    }

    private static final class Validator extends BaseKeywordValidator {

        private final boolean unique;

        Validator(Keyword keyword, SchemaLocation location, JsonNode said, Schema parent, SchemaContext context) {
            super(keyword, said, location, parent, context);
            this.unique = said.asBoolean(false);
        }

        @Override
        public void validate(ExecutionContext evaluation, JsonNode value, JsonNode root, NodePath place) {
            if (unique && value.isArray() && !allDiffer(value, evaluation)) {
                evaluation.addError(error().instanceNode(value)
                        .instanceLocation(place)
                        .evaluationPath(evaluation.getEvaluationPath())
                        .locale(evaluation.getExecutionConfig().getLocale())
                        .build());
            }
        }

        private static boolean allDiffer(JsonNode items, ExecutionContext evaluation) {
            Set<String> seen = new TreeSet<>();
            for (JsonNode item : items) {
                StringBuilder text = new StringBuilder();
                write(item, text);
                Evaluation.looked(evaluation, text.length());
                if (!seen.add(text.toString())) {
                    return false;
                }
            }
            return true;
        }
    }
}
