package io.idem.gateway.internal.intake;

import org.jspecify.annotations.Nullable;

/** The intake cannot start as it is configured. */
public final class GatewayConfigurationException extends RuntimeException {

    private final String action;

    /**
     * A complaint.
     *
     * @param problem names the setting
     * @param action what to do about it
     */
    public GatewayConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /** What to do about it. */
    public String action() {
        return action;
    }
}
