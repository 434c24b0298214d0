package io.idem;

import org.jspecify.annotations.Nullable;

/**
 * Thrown for a configuration that cannot work, mostly at start-up: a setting, a bean or an annotation that is wrong by
 * itself, or does not fit another one or the application. Spring Boot reports the problem and the remedy.
 */
public class ConfigurationException extends IdempotencyException {

    private final String action;

    public ConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    /**
     * Creates an exception. The full stops at the ends of the texts may be left out.
     *
     * @param problem the problem; names the setting, the bean or the annotation
     * @param action the remedy
     */
    public ConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    public final String problem() {
        return String.valueOf(super.getMessage());
    }

    /** Returns what to do. */
    public final String action() {
        return action;
    }
}
