package io.idem.spi;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * Cache of settled records in front of the store that holds the truth. Entries may be lost at any time; records that
 * are not settled have none. Thread-safe.
 */
public interface SettledRecordCache extends AutoCloseable {

    /**
     * Returns a copy that was offered, has not expired and was not withdrawn; empty also if the cache does not answer.
     */
    Optional<RecordSnapshot> find(RecordId record);

    /**
     * Stores a copy, best effort.
     *
     * @param settled COMPLETED or REJECTED, as just read from the store that holds the truth
     * @param atMost longest time for which the copy is kept
     */
    void offer(RecordId record, RecordSnapshot settled, Duration atMost);

    /**
     * Withdraws the copies of a grant and of older ones: they are not found any more, even if one is offered later.
     *
     * @param fence of the grant
     * @param remembered time for which the withdrawal is kept; longer than an offer of such a copy may still be under
     *     way, and than that copy may live
     * @throws io.idem.StoreUnavailableException if the withdrawal may not have been stored
     */
    void withdraw(RecordId record, long fence, Duration remembered);

    @Override
    void close();
}
