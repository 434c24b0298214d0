package io.idem.test.contract;

import io.idem.RecordId;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;

/**
 * A store under test, with the operations that a test needs beyond the store's own methods. Closing the harness closes
 * the store.
 */
public interface StoreHarness extends AutoCloseable {

    /** Returns the store, without records of other tests. */
    IdempotencyStore store();

    /**
     * Lets time pass for all records without waiting: moves the store's clock, or rewrites the moments in its records
     * and their expiry.
     */
    void advance(Duration by);

    /**
     * Returns a record as it is stored, to the byte, in any text form: tests compare it only with itself. Empty if
     * there is none.
     */
    String stored(RecordId record);

    @Override
    void close();
}
