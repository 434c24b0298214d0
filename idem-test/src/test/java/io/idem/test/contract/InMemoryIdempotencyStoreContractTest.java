package io.idem.test.contract;

/** The contract, for the reference. */
class InMemoryIdempotencyStoreContractTest extends IdempotencyStoreContract {

    @Override
    protected StoreHarness open() {
        return new InMemoryStoreHarness();
    }
}
