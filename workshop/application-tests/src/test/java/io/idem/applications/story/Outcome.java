package io.idem.applications.story;

import java.util.Locale;

/** The outcome of an application. */
public enum Outcome {
    /**
     * The application is protected: every story ends with one effect, or with none and a dead letter of the
     * application, and no message is left at the broker.
     */
    PROTECTED,
    /** The application does not start, and reports the reason. */
    REFUSED,
    /** The listener stops at its first message, and nothing is acknowledged. */
    STOPPED,
    /** The application is protected, except for a gap that a warning at start-up describes. */
    WARNED,
    /** The application runs, and may lose what its proof shows. */
    NOT_PROTECTED;

    /** Returns the word on the page. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
