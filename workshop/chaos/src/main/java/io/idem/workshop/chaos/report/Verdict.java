package io.idem.workshop.chaos.report;

/**
 * A target and what came of it.
 *
 * @param target what was to be reached
 * @param figure what was
 * @param met whether that is enough
 */
public record Verdict(String target, String figure, boolean met) {}
