package io.idem.examples.outbox;

record Order(String id, String item, int quantity) {}
