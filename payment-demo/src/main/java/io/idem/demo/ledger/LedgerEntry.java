package io.idem.demo.ledger;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;

/**
 * Money that was moved.
 *
 * @param kind payment or payout
 * @param key under which its client asked for it
 * @param account whose money it is
 * @param amount in the currency's smallest unit
 * @param currency three letters of ISO 4217
 * @param reference by which the provider knows it
 * @param attempt which attempt wrote it, from 1
 * @param fence of that attempt
 */
public record LedgerEntry(
        String kind,
        IdempotencyKey key,
        String account,
        long amount,
        String currency,
        String reference,
        int attempt,
        long fence) {

    /** An entry of the attempt now running. */
    public static LedgerEntry of(
            String kind, IdempotencyContext attempt, String account, long amount, String currency, String reference) {
        return new LedgerEntry(
                kind, attempt.key(), account, amount, currency, reference, attempt.attempt(), attempt.fence());
    }
}
