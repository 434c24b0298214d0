/** What runs inside the processes under test: their main classes, and the points where a test may stop them. */
@NullMarked
package io.idem.e2e.child;

import org.jspecify.annotations.NullMarked;
