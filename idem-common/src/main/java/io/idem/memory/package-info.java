/** The reference behaviour of a store, in one process: for tests, and to compare every other store with. */
@NullMarked
package io.idem.memory;

import org.jspecify.annotations.NullMarked;
