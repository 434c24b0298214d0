package io.idem.examples.setnx;

record Payment(String id, long amount) {}
