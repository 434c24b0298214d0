package io.idem.workshop.simulation.check;

/**
 * The promises of a run.
 *
 * @param inbox whether a row in the database keeps every effect from being repeated
 * @param maxAttempts number of grants after which a key may become a dead letter; 0 for no limit
 * @param unacceptedMayAct whether requests whose client was never answered may take effect
 * @param alone whether the inbox is the only store, so that only attempts count that failed
 */
public record Rules(boolean inbox, int maxAttempts, boolean unacceptedMayAct, boolean alone) {}
