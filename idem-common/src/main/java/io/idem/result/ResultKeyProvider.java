package io.idem.result;

import io.idem.RecordId;
import java.util.Optional;

/**
 * Provides the keys that encrypt stored results. With a key for each tenant ({@link io.idem.IdempotencyKey#tenant()}),
 * destroying the key erases all results of the tenant, wherever they are stored. Thread-safe; may block. Called for
 * every stored and every replayed result, so cache keys from a remote service.
 */
public interface ResultKeyProvider {

    /** Returns the key that encrypts new results of a record. An exception means that the result cannot be stored. */
    ResultKey current(RecordId record);

    /**
     * Returns the key that encrypted a result of this record. Empty if it was destroyed: then the result counts as
     * erased.
     *
     * @throws RuntimeException if the key cannot be fetched at the moment; the replay is refused and may be tried again
     */
    Optional<ResultKey> find(RecordId record, String id);
}
