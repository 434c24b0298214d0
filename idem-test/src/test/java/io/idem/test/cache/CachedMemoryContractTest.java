package io.idem.test.cache;

import io.idem.test.IdempotencyStoreContract;
import io.idem.test.InMemoryStoreHarness;
import io.idem.test.StoreHarness;

/** The contract, for a near cache in front of the reference store. */
class CachedMemoryContractTest extends IdempotencyStoreContract {

    @Override
    protected StoreHarness open() {
        return new CachedHarness(new InMemoryStoreHarness());
    }
}
