package io.idem.test.contract;

import org.junit.jupiter.api.Nested;

/**
 * What every store must do, one section per transition. Extend it and answer a harness; the store is finished when all of it is
 * green.
 */
public abstract class IdempotencyStoreContract {

    /** A harness for one test; closed after it. */
    protected abstract StoreHarness open();

    @Nested
    class Acquire extends AcquireSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Renew extends RenewSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Complete extends CompleteSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Fail extends FailSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Reject extends RejectSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Reopen extends ReopenSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Force extends ForceSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Erase extends EraseSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Inspect extends InspectSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }

    @Nested
    class Batch extends BatchSection {
        @Override
        StoreHarness open() {
            return IdempotencyStoreContract.this.open();
        }
    }
}
