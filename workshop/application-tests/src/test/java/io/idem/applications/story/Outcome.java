package io.idem.applications.story;

import java.util.Locale;

/** The outcome of an application. */
public enum Outcome {
    /** Every story ends with one effect, or with the application's own dead letter and none, and nothing is left at the broker. */
    PROTECTED,
    /** The application does not start, and says why. */
    REFUSED,
    /** The listener stops at its first message, and nothing is acknowledged. */
    STOPPED,
    /** Protected, but for something that it is told about when it starts. */
    WARNED,
    /** Runs, and may lose what the proof of the application shows. */
    NOT_PROTECTED;

    /** As it stands on the page. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
