package io.idem.workshop.simulation.check;

import io.idem.workshop.simulation.kernel.Machine;

/**
 * A grant as the store gave it.
 *
 * @param to the machine that asked
 * @param freezes how often that machine had stood still by then
 * @param abandoned how many calls for this record had been given up by then
 * @param jumps of the store's clock by then
 * @param late whether the answer may have come so late that nobody made use of it
 */
record Grant(long fence, Machine to, int freezes, int abandoned, int jumps, boolean late) {}
