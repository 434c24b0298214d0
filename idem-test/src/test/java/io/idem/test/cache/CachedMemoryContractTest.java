package io.idem.test.cache;

import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.InMemoryStoreHarness;
import io.idem.test.contract.StoreHarness;
import org.junit.jupiter.api.Tag;

/** The contract, for a near cache in front of the reference store. */
@Tag("extended")
class CachedMemoryContractTest extends IdempotencyStoreContract {

    @Override
    protected StoreHarness open() {
        return new CachedHarness(new InMemoryStoreHarness());
    }
}
