package io.idem.demo.payments;

/**
 * The payment that a client posted.
 *
 * @param account to be charged
 * @param amount in the currency's smallest unit
 * @param currency three letters of ISO 4217
 */
record PaymentRequested(String account, long amount, String currency) {}
