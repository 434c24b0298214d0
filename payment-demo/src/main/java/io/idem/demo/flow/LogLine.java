package io.idem.demo.flow;

/**
 * A line of the log that the page shows.
 *
 * @param at milliseconds since 1970
 * @param text for people
 */
public record LogLine(long at, String text) {}
