/** The servers and processes of a run, and operations on them. */
@NullMarked
package io.idem.workshop.chaos.stage;

import org.jspecify.annotations.NullMarked;
