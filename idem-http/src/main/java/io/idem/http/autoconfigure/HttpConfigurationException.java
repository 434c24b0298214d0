package io.idem.http.autoconfigure;

import org.jspecify.annotations.Nullable;

/** A setting without which requests cannot be protected. */
final class HttpConfigurationException extends RuntimeException {

    private final String remedy;

    HttpConfigurationException(String complaint, String remedy) {
        this(complaint, remedy, null);
    }

    HttpConfigurationException(String complaint, String remedy, @Nullable Throwable cause) {
        super(complaint, cause);
        this.remedy = remedy;
    }

    /** What to do about it. */
    String remedy() {
        return remedy;
    }
}
