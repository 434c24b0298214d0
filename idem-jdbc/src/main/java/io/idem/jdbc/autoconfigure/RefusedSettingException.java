package io.idem.jdbc.autoconfigure;

/** Thrown for a setting of the inbox or the store that is wrong by itself or does not fit the application. */
final class RefusedSettingException extends RuntimeException {

    private final String action;

    RefusedSettingException(String description, String action) {
        super(description);
        this.action = action;
    }

    /** Returns what to do, for the failure analysis at start-up. */
    String action() {
        return action;
    }
}
