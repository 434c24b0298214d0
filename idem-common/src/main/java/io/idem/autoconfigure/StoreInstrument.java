package io.idem.autoconfigure;

import io.idem.spi.IdempotencyStore;

/** Puts something around the store that the engine asks; not around the bean, which others may want as what it is. */
@FunctionalInterface
interface StoreInstrument {

    IdempotencyStore around(IdempotencyStore store);
}
