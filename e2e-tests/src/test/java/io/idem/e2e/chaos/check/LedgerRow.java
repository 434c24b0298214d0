package io.idem.e2e.chaos.check;

/**
 * An effect.
 *
 * @param lane where it came about
 * @param key whose it is
 * @param writtenAt milliseconds since the epoch
 */
public record LedgerRow(String lane, String key, long writtenAt) {}
