/** What runs inside the processes under test: their main classes, and the points where a test may stop them. */
@NullMarked
package io.idem.workshop.child;

import org.jspecify.annotations.NullMarked;
