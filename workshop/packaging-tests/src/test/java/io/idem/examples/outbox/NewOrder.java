package io.idem.examples.outbox;

record NewOrder(String item, int quantity) {}
