/** Clients of the intake, and the log of their requests and replies. */
@NullMarked
package io.idem.workshop.chaos.load;

import org.jspecify.annotations.NullMarked;
