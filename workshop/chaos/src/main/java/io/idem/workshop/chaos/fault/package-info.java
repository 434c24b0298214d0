/** The classes of faults, and what each does to the stage. */
@NullMarked
package io.idem.workshop.chaos.fault;

import org.jspecify.annotations.NullMarked;
