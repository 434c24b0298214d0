package io.idem;

/** The reaction to a server or setting that is less safe than it could be. */
public enum GuardAction {
    /** Refuses to start, or to work with the server. */
    FAIL,
    /** Logs a warning and continues. */
    WARN,
    /** Continues without a warning. */
    OFF
}
