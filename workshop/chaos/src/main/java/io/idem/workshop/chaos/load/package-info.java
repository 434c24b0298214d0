/** Clients of the intake, and the log of what they sent and got. */
@NullMarked
package io.idem.workshop.chaos.load;

import org.jspecify.annotations.NullMarked;
