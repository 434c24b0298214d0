/** The servers and processes of a run, and what can be done to them. */
@NullMarked
package io.idem.workshop.chaos.stage;

import org.jspecify.annotations.NullMarked;
