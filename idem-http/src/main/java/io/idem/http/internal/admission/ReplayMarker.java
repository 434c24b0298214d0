package io.idem.http.internal.admission;

/**
 * The header that tells a replay from a first answer.
 *
 * @param name default {@code Idempotency-Replayed}
 * @param value default {@code true}
 */
public record ReplayMarker(String name, String value) {}
