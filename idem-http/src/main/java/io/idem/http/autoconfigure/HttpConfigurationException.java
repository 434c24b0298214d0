package io.idem.http.autoconfigure;

/** A setting without which requests cannot be protected. */
final class HttpConfigurationException extends RuntimeException {

    private final String remedy;

    HttpConfigurationException(String complaint, String remedy) {
        super(complaint);
        this.remedy = remedy;
    }

    HttpConfigurationException(String complaint, String remedy, Throwable cause) {
        super(complaint, cause);
        this.remedy = remedy;
    }

    /** What to do about it. */
    String remedy() {
        return remedy;
    }
}
