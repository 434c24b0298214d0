package io.idem.workshop.simulation.check;

import io.idem.workshop.simulation.kernel.Machine;

/**
 * A grant as the store returned it.
 *
 * @param to machine that asked
 * @param freezes number of freezes of that machine until then
 * @param abandoned number of calls for this record that had been given up until then
 * @param jumps number of jumps of the store's clock until then
 * @param late whether the answer may have arrived too late to be used
 */
record Grant(long fence, Machine to, int freezes, int abandoned, int jumps, boolean late) {}
