package io.idem.demo.intake;

/**
 * A payment in the ledger.
 *
 * @param paymentId as the intake named it
 * @param status {@code settled}: what is not settled is not in the ledger
 * @param account that was charged
 * @param amount in the currency's smallest unit
 * @param currency three letters of ISO 4217
 * @param reference by which the provider knows it
 */
record PaymentStatus(String paymentId, String status, String account, long amount, String currency, String reference) {}
