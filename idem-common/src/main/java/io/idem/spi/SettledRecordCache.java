package io.idem.spi;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * A cache of settled records in front of the store that holds the truth. Entries may be lost at any time; a record that is
 * not settled has none. Thread-safe.
 */
public interface SettledRecordCache extends AutoCloseable {

    /** A copy that was offered, has not gone yet and was not withdrawn; empty also if the cache does not answer. */
    Optional<RecordSnapshot> find(RecordId record);

    /**
     * Keeps a copy, best effort.
     *
     * @param settled COMPLETED or REJECTED, as the truth has just said
     * @param atMost after this the copy is gone
     */
    void offer(RecordId record, RecordSnapshot settled, Duration atMost);

    /**
     * From now on copies of this grant, or an older one, are not found; not even one that is offered later.
     *
     * @param fence of the grant
     * @param remembered how long; longer than any offer of such a copy may still be under way, and that copy may live
     * @throws io.idem.StoreUnavailableException if that could not be made sure of
     */
    void withdraw(RecordId record, long fence, Duration remembered);

    @Override
    void close();
}
