/** The reliability laboratory: workers, load, faults and checkers behind {@code workshop/chaos.sh}. */
@NullMarked
package io.idem.e2e.chaos;

import org.jspecify.annotations.NullMarked;
