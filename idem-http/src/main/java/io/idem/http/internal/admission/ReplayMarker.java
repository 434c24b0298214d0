package io.idem.http.internal.admission;

/**
 * The header that marks replays.
 *
 * @param name name of the header; default {@code Idempotency-Replayed}
 */
public record ReplayMarker(String name) {

    /** The value of the header. */
    public static final String VALUE = "true";
}
