package io.idem;

import java.util.regex.Pattern;

/**
 * A participant in the boundary of a key: the HTTP intake of a service, or one named consumer. The name is part of what
 * is stored: a renamed scope does not find the records of its old name. Immutable.
 *
 * @param name matches {@value #SYNTAX}
 */
public record Scope(String name) {

    /** The syntax of names. */
    public static final String SYNTAX = "[a-z0-9][a-z0-9._-]{0,63}";

    private static final Pattern PATTERN = Pattern.compile(SYNTAX);

    /**
     * Creates a scope.
     *
     * @throws IllegalArgumentException if the name does not match {@value #SYNTAX}
     */
    public Scope {
        if (!PATTERN.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Scope \"" + name + "\" is not valid; a scope matches " + SYNTAX + ", for example \"payments\"");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
