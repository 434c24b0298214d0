package io.idem.test.contract;

import org.junit.jupiter.api.Nested;

/**
 * The rules that every store obeys, one section per transition. Extend this class and return a harness; a store is
 * finished when all sections pass.
 */
public abstract class IdempotencyStoreContract {

    /** Returns a harness for one test; it is closed after the test. */
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
    class Steps extends StepSection {
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
