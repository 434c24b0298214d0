package io.idem.workshop.chaos.check;

/**
 * A row of the ledger: one effect.
 *
 * @param lane lane of its message
 * @param key key of its message
 * @param writtenAt time of the write in milliseconds since the epoch
 * @param fence fencing token of the grant under which it was written
 */
public record LedgerRow(String lane, String key, long writtenAt, long fence) {}
