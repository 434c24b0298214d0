/** The applications that faults strike: an intake, and workers with a listener for each lane. */
@NullMarked
package io.idem.workshop.chaos.worker;

import org.jspecify.annotations.NullMarked;
