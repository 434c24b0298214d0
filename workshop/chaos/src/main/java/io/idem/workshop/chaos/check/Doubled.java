package io.idem.workshop.chaos.check;

/**
 * A duplicate effect.
 *
 * @param key key of the effect
 * @param cause cause of the duplicate
 * @param evidence evidence for the cause
 */
public record Doubled(String key, Cause cause, String evidence) {}
