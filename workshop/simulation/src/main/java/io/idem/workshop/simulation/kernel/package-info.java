/** Virtual time, in which one event happens at a time, in an order given by the seed. Independent of idem. */
@NullMarked
package io.idem.workshop.simulation.kernel;

import org.jspecify.annotations.NullMarked;
