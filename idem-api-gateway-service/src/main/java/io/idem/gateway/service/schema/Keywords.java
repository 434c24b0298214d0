package io.idem.gateway.service.schema;

import java.util.Set;

/** The kinds of values that keywords of a schema have. */
final class Keywords {

    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples", "example");
    private static final Set<String> NAMES =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

    private Keywords() {}

    /** Returns whether a keyword's value is data, even if it looks like a schema. */
    static boolean holdsData(String keyword) {
        return DATA.contains(keyword);
    }

    /**
     * Returns whether the members of a keyword's value are named after the data, so that their names may equal
     * keywords.
     */
    static boolean holdsNames(String keyword) {
        return NAMES.contains(keyword);
    }
}
