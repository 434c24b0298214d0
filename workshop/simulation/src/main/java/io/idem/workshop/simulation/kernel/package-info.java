/** Virtual time: one thing happens at a time, in an order that a seed decides. Knows nothing of idem. */
@NullMarked
package io.idem.workshop.simulation.kernel;

import org.jspecify.annotations.NullMarked;
