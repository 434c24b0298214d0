package io.idem.demo.payouts;

/**
 * The payout that a client posted.
 *
 * @param account to be paid
 * @param amount in the currency's smallest unit
 * @param currency three letters of ISO 4217
 */
record PayoutRequested(String account, long amount, String currency) {}
