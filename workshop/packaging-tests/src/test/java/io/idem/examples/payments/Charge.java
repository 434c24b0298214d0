package io.idem.examples.payments;

record Charge(String reference) {}
