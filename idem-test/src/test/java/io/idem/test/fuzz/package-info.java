/** Random operations on two stores at once, checked against each other and against the protocol's invariants. */
@NullMarked
package io.idem.test.fuzz;

import org.jspecify.annotations.NullMarked;
