package io.idem.http.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Thrown at start-up for a setting with which requests cannot be protected. */
final class HttpConfigurationException extends RuntimeException {

    private final String remedy;

    HttpConfigurationException(String complaint, String remedy) {
        this(complaint, remedy, null);
    }

    HttpConfigurationException(String complaint, String remedy, @Nullable Throwable cause) {
        super(complaint, cause);
        this.remedy = remedy;
    }

    /** Returns the advice for the developer. */
    String remedy() {
        return remedy;
    }
}
