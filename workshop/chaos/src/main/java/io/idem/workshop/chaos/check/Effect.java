package io.idem.workshop.chaos.check;

/**
 * An effect, with what its work knew of its grant.
 *
 * @param lane where it came about
 * @param key whose it is
 * @param attempt which grant of its key it came from
 * @param fence that grant's fencing token
 */
public record Effect(String lane, String key, int attempt, long fence) {}
