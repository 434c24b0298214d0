package io.idem.result;

import io.idem.RecordId;
import java.util.Optional;

/**
 * Where the keys of stored results come from. A provider that gives every tenant ({@link io.idem.IdempotencyKey#tenant()}) a key of its own lets one
 * erase a tenant's results, wherever they lie, by destroying its key. Thread-safe; may block. Called for every stored and every replayed result,
 * so cache what comes from afar.
 */
public interface ResultKeyProvider {

    /** The key that encrypts new results of a record. An exception means that the result cannot be stored. */
    ResultKey current(RecordId record);

    /**
     * The key that once encrypted a result of this record. Empty if it was destroyed: then the result counts as erased.
     *
     * @throws RuntimeException if it cannot be fetched at the moment; the replay is refused and may be tried again
     */
    Optional<ResultKey> find(RecordId record, String id);
}
