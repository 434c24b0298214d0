package io.idem.internal;

import org.jspecify.annotations.Nullable;

/** Thrown at start-up for a setting that is wrong by itself, or does not fit another one or the application. */
public class RefusedSettingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /** @param action what to do, for the failure analysis at start-up */
    public RefusedSettingException(String description, String action) {
        this(description, action, null);
    }

    /** @param action what to do, for the failure analysis at start-up */
    public RefusedSettingException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** Returns what to do. */
    public final String action() {
        return action;
    }
}
