/** The simulated world: servers, brokers, databases and processes that fail as a seed says, around the library's own code. */
@NullMarked
package io.idem.workshop.simulation.world;

import org.jspecify.annotations.NullMarked;
