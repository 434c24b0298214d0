/**
 * The simulated world: servers, brokers, databases and processes around the library's own code, with faults given by
 * the seed.
 */
@NullMarked
package io.idem.workshop.simulation.world;

import org.jspecify.annotations.NullMarked;
