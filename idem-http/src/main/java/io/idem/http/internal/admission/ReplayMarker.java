package io.idem.http.internal.admission;

/**
 * The header that tells a replay from a first answer.
 *
 * @param name default {@code Idempotency-Replayed}
 */
public record ReplayMarker(String name) {

    /** The value of the header. */
    public static final String VALUE = "true";
}
