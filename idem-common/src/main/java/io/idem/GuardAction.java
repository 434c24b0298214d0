package io.idem;

/** What to do about something that is less safe than it could be. */
public enum GuardAction {
    /** Refuse to start, or to work with it. */
    FAIL,
    /** Log a warning and go on. */
    WARN,
    /** Say nothing. */
    OFF
}
