/**
 * The contract of every {@link io.idem.spi.IdempotencyStore}, as a JUnit suite for authors of stores. Open
 * {@link io.idem.test.contract.IdempotencyStoreContract} first. Applications do not need it. Needs JUnit.
 */
@NullMarked
package io.idem.test.contract;

import org.jspecify.annotations.NullMarked;
