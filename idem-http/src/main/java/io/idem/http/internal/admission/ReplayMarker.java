package io.idem.http.internal.admission;

/**
 * The header that marks replays.
 *
 * @param name name of the header; default {@code Idempotency-Replayed}
 * @param value value of the header; default {@code true}
 */
public record ReplayMarker(String name, String value) {}
