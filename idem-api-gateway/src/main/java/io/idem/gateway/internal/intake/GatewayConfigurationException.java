package io.idem.gateway.internal.intake;

import org.jspecify.annotations.Nullable;

/** Thrown when the intake cannot start with its configuration. */
public final class GatewayConfigurationException extends RuntimeException {

    private final String action;

    /**
     * Creates an exception.
     *
     * @param problem the problem; names the setting
     * @param action the remedy
     */
    public GatewayConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /** Returns what to do, for the failure analysis at start-up. */
    public String action() {
        return action;
    }
}
