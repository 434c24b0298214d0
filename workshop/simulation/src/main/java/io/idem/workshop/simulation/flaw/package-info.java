/** Deliberate defects of the library, which the checkers must find. */
@NullMarked
package io.idem.workshop.simulation.flaw;

import org.jspecify.annotations.NullMarked;
