package io.idem.gateway;

import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;

class RejectedOperationsTest extends RejectedOperationsContract {

    @Override
    IdempotencyStore store() {
        return new InMemoryIdempotencyStore();
    }
}
