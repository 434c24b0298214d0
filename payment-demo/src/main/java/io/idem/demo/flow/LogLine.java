package io.idem.demo.flow;

/**
 * Something worth telling.
 *
 * @param at milliseconds since 1970
 * @param text for people
 */
public record LogLine(long at, String text) {}
