package io.idem.gateway.service.schema;

import java.util.Set;

/** What the members of a schema hold. */
final class Keywords {

    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples", "example");
    private static final Set<String> NAMES =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

    private Keywords() {}

    /** Whether it is data, however much it looks like a schema. */
    static boolean holdsData(String keyword) {
        return DATA.contains(keyword);
    }

    /** Whether its members are called by names of the data, which may be those of keywords. */
    static boolean holdsNames(String keyword) {
        return NAMES.contains(keyword);
    }
}
