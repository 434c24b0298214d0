package io.idem.http;

/** A header of a response with one of its values. */
public record Header(String name, String value) {}
