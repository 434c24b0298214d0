/** Virtual time: one thing happens at a time, in an order that a seed decides. Knows nothing of idem. */
@NullMarked
package io.idem.sim.kernel;

import org.jspecify.annotations.NullMarked;
