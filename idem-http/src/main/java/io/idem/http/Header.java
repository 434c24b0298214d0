package io.idem.http;

/** One line of a response's header. */
public record Header(String name, String value) {}
