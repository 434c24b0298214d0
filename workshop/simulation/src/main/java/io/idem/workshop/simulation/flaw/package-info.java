/** Known mistakes, built in on purpose: a checker that does not find them proves nothing. */
@NullMarked
package io.idem.workshop.simulation.flaw;

import org.jspecify.annotations.NullMarked;
