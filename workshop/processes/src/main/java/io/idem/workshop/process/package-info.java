/** The servers and the applications under test, each a process that may be stopped, killed or cut off. */
@NullMarked
package io.idem.workshop.process;

import org.jspecify.annotations.NullMarked;
