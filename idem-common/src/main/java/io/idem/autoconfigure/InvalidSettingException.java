package io.idem.autoconfigure;

/** A setting that is wrong by itself or beside another one. */
final class InvalidSettingException extends RuntimeException {

    private final String property;

    InvalidSettingException(String property, String complaint) {
        super("Setting " + property + ": " + complaint);
        this.property = property;
    }

    /** Its full name. */
    String property() {
        return property;
    }
}
