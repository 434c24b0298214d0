/** What must hold, told from what the servers saw: knows nothing of what the library believes. */
@NullMarked
package io.idem.sim.check;

import org.jspecify.annotations.NullMarked;
