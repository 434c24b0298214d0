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
    class Acquire extends AcquireSection {}

    @Nested
    class Renew extends RenewSection {}

    @Nested
    class Complete extends CompleteSection {}

    @Nested
    class Fail extends FailSection {}

    @Nested
    class Reject extends RejectSection {}

    @Nested
    class Reopen extends ReopenSection {}

    @Nested
    class Force extends ForceSection {}

    @Nested
    class Erase extends EraseSection {}

    @Nested
    class Inspect extends InspectSection {}

    @Nested
    class Steps extends StepSection {}

    @Nested
    class Batch extends BatchSection {}
}
