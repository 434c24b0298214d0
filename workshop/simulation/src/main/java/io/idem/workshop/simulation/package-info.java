/** The deterministic simulation: the library's own code in a world of virtual time, brokers, stores and processes. */
@NullMarked
package io.idem.workshop.simulation;

import org.jspecify.annotations.NullMarked;
