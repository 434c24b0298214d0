/** Loads the library's own classes, as they are built, with virtual time in the place of the JDK's. */
@NullMarked
package io.idem.workshop.simulation.rewrite;

import org.jspecify.annotations.NullMarked;
