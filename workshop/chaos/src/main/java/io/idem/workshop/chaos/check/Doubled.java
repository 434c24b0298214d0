package io.idem.workshop.chaos.check;

/**
 * An effect that came about twice.
 *
 * @param key whose
 * @param cause why
 * @param evidence what shows that
 */
public record Doubled(String key, Cause cause, String evidence) {}
