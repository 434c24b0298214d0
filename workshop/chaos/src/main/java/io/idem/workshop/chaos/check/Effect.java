package io.idem.workshop.chaos.check;

/**
 * An effect with the grant under which it was written.
 *
 * @param lane lane of its message
 * @param key key of its message
 * @param attempt number of the grant among those of its key
 * @param fence fencing token of the grant
 */
public record Effect(String lane, String key, int attempt, long fence) {}
