/** What must hold, told from what the servers saw: knows nothing of what the library believes. */
@NullMarked
package io.idem.workshop.simulation.check;

import org.jspecify.annotations.NullMarked;
