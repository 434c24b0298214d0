package io.idem.autoconfigure;

import io.idem.spi.IdempotencyStore;

/** Decorates the store that the engine uses, but not the bean, which others may need in its own type. */
@FunctionalInterface
interface StoreInstrument {

    IdempotencyStore around(IdempotencyStore store);
}
