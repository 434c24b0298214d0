package io.idem.workshop.chaos.report;

/**
 * A target and its result.
 *
 * @param target description of the target
 * @param figure measured value
 * @param met whether the target was met
 */
public record Verdict(String target, String figure, boolean met) {}
