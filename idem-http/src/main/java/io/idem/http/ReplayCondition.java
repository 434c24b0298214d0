package io.idem.http;

import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;

/**
 * Condition that is checked before a stored answer is given again to a request with the payload that was answered. An
 * implementation may open the record, so that the request runs once more. Thread-safe; may block on the store.
 */
@FunctionalInterface
public interface ReplayCondition {

    /** The default: what is stored is given again. */
    ReplayCondition REPLAY = record -> false;

    /**
     * Whether the record was opened, by this call or by somebody else just before: then the request asks for its key once more.
     *
     * @throws StoreUnavailableException if the store does not answer; the request is answered with 503
     * @throws UnreadableRecordException if something else lies under a record's name; the same
     */
    boolean opened(RecordId record);
}
