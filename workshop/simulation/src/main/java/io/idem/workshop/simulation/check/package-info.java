/** The checks of the promises, based on the events at the servers alone and independent of the library's own view. */
@NullMarked
package io.idem.workshop.simulation.check;

import org.jspecify.annotations.NullMarked;
