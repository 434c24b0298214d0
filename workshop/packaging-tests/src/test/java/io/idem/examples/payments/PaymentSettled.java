package io.idem.examples.payments;

record PaymentSettled(String paymentId, String account, long amount, String currency) {}
