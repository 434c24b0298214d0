/** The classes of faults and their implementations. */
@NullMarked
package io.idem.workshop.chaos.fault;

import org.jspecify.annotations.NullMarked;
