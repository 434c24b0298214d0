package io.idem.http;

import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;

/**
 * Condition that is checked before a stored answer is replayed. An implementation may reopen the record, so that the request runs once
 * more. Thread-safe; may block on the store.
 */
@FunctionalInterface
public interface ReplayCondition {

    /** The default: every stored answer is replayed. */
    ReplayCondition REPLAY = record -> false;

    /**
     * Returns whether the record was opened, by this call or by another one just before. If so, the request asks for its key once more.
     *
     * @throws StoreUnavailableException if the store does not answer; the request is answered with 503
     * @throws UnreadableRecordException if the store holds something else under a record's name; the request is answered with 503
     */
    boolean opened(RecordId record);
}
