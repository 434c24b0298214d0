/** The reliability laboratory: workers, load, faults and checkers behind {@code workshop/chaos.sh}. */
@NullMarked
package io.idem.workshop.chaos;

import org.jspecify.annotations.NullMarked;
