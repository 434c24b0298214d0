/** The code inside the processes under test: their main classes, and the points at which a test may stop them. */
@NullMarked
package io.idem.workshop.child;

import org.jspecify.annotations.NullMarked;
