package io.idem.gateway.service.schema;

import com.networknt.schema.Error;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The violations as a client sees them: the place, and the schema's rule. Never a value of the body, which may be a
 * secret and appear in a log; names of its members only inside the pointer.
 */
final class Violations {

    /** The largest number of violations in an answer. */
    static final int MOST = 10;

    private static final int LONGEST_TEXT = 200;

    /** The keywords whose messages contain only words of the schema. */
    private static final Set<String> SPOKEN_OF_BY_THE_SCHEMA = Set.of(
            "type",
            "enum",
            "const",
            "required",
            "dependentRequired",
            "format",
            "pattern",
            "minLength",
            "maxLength",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
            "uniqueItems",
            "minProperties",
            "maxProperties",
            "oneOf");

    private static final Set<String> OF_A_MEMBER = Set.of("additionalProperties", "unevaluatedProperties");

    private Violations() {}

    static List<Map<String, Object>> of(List<Error> errors) {
        return errors.stream().limit(MOST).map(Violations::told).toList();
    }

    private static Map<String, Object> told(Error error) {
        return Map.of("pointer", cut(pointer(error)), "keyword", error.getKeyword(), "detail", cut(detail(error)));
    }

    private static String pointer(Error error) {
        String property = error.getProperty();
        String parent = error.getInstanceLocation().toString();
        return property != null && OF_A_MEMBER.contains(error.getKeyword())
                ? parent + "/" + property.replace("~", "~0").replace("/", "~1")
                : parent;
    }

    private static String detail(Error error) {
        if (OF_A_MEMBER.contains(error.getKeyword())) {
            return "is not a member that the schema knows";
        }
        return SPOKEN_OF_BY_THE_SCHEMA.contains(error.getKeyword())
                ? error.getMessage()
                : "is not as the schema's " + error.getKeyword() + " asks";
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
