package io.idem.test.contract;

import io.idem.RecordId;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;

/** A store under test, with what a test needs beyond the store's own methods. Closing it closes the store. */
public interface StoreHarness extends AutoCloseable {

    /** The store; empty of records that other tests could have left. */
    IdempotencyStore store();

    /**
     * Lets time pass for all records without waiting: moves the store's clock, or rewrites the moments in its records and their
     * expiry.
     */
    void advance(Duration by);

    /**
     * A record as it is stored, to the byte, in any text form: tests compare it with itself only. Empty if there is none.
     */
    String stored(RecordId record);

    @Override
    void close();
}
