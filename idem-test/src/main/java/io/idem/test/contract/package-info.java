/**
 * For authors of stores: the contract that every {@link io.idem.spi.IdempotencyStore} keeps, as a JUnit suite that runs against a store
 * of one's own. Applications do not need it. Needs JUnit.
 */
@NullMarked
package io.idem.test.contract;

import org.jspecify.annotations.NullMarked;
