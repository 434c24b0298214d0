package io.idem.workshop.simulation.check;

/**
 * What is promised in one run.
 *
 * @param inbox whether effects are promised to happen once whatever happens
 * @param maxAttempts number of grants after which a key may be a dead letter; 0 for no limit
 * @param recordsMayLag whether work may run, and be acknowledged, while the store is silent
 * @param unacceptedMayAct whether requests whose client was never answered may take effect
 */
public record Rules(boolean inbox, int maxAttempts, boolean recordsMayLag, boolean unacceptedMayAct) {}
