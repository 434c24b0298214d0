/**
 * The reference implementation of a store, in one process, for tests and for comparison with every other store. Open
 * {@link io.idem.memory.InMemoryIdempotencyStore} first.
 */
@NullMarked
package io.idem.memory;

import org.jspecify.annotations.NullMarked;
