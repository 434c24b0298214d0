package io.idem.demo.payments;

/**
 * Published when a payment has been charged and is in the ledger.
 *
 * @param paymentId names the payment
 * @param account that was charged
 * @param amount in the currency's smallest unit
 * @param currency three letters of ISO 4217
 */
public record PaymentSettled(String paymentId, String account, long amount, String currency) {}
