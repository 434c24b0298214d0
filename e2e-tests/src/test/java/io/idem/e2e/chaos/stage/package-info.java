/** The servers and processes of a run, and what can be done to them. */
@NullMarked
package io.idem.e2e.chaos.stage;

import org.jspecify.annotations.NullMarked;
