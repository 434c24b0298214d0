package io.idem;

import java.util.regex.Pattern;

/**
 * One participant in a key's boundary: a service's HTTP intake, or one named consumer. Explicit and stable: it is part of
 * what is stored, so renaming it forgets what was done under the old name.
 *
 * @param name matches {@value #SYNTAX}
 */
public record Scope(String name) {

    /** The characters of a scope. */
    public static final String SYNTAX = "[a-z0-9][a-z0-9._-]{0,63}";

    private static final Pattern PATTERN = Pattern.compile(SYNTAX);

    /**
     * Checks the name.
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
