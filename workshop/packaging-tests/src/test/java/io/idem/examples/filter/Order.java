package io.idem.examples.filter;

record Order(String item) {}
