package io.idem.examples.integration;

record Order(String id, String item) {}
