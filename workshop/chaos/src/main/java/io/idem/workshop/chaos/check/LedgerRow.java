package io.idem.workshop.chaos.check;

/**
 * An effect.
 *
 * @param lane where it came about
 * @param key whose it is
 * @param writtenAt milliseconds since the epoch
 * @param fence of the grant under which it was written
 */
public record LedgerRow(String lane, String key, long writtenAt, long fence) {}
