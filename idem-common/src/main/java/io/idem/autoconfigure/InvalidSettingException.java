package io.idem.autoconfigure;

/** Thrown for a setting that is wrong by itself or does not fit another one. */
final class InvalidSettingException extends RuntimeException {

    private final String property;

    InvalidSettingException(String property, String complaint) {
        super("Setting " + property + ": " + complaint);
        this.property = property;
    }

    /** Returns the full name of the setting. */
    String property() {
        return property;
    }
}
