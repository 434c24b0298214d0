package io.idem.jdbc.autoconfigure;

/** A setting of the inbox or the store that is wrong by itself or beside what the application has. */
final class RefusedSettingException extends RuntimeException {

    private final String action;

    RefusedSettingException(String description, String action) {
        super(description);
        this.action = action;
    }

    /** What to do about it. */
    String action() {
        return action;
    }
}
