package io.idem.examples.payments;

record PaymentRequested(String account, long amount, String currency) {}
