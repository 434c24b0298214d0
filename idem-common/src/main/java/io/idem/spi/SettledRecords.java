package io.idem.spi;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads settled records together with the time for which they are kept, so that a copy elsewhere can end before its
 * record does. For stores that may have a {@link SettledRecordCache} in front. Thread-safe; blocks.
 */
public interface SettledRecords {

    /**
     * Reads a record; empty if it is neither COMPLETED nor REJECTED, or its retention is over.
     *
     * @throws io.idem.StoreUnavailableException if the store does not answer
     */
    Optional<Settled> settled(RecordId record);

    /**
     * A settled record.
     *
     * @param kept the rest of its retention when it was read
     */
    record Settled(RecordSnapshot snapshot, Duration kept) {}
}
