package io.idem.spi;

import io.idem.Fingerprint;
import io.idem.Scope;
import io.idem.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Writes COMPLETED records that a store has lost, outside the transitions of the protocol: for an operator who knows
 * from elsewhere which work took effect. Thread-safe; blocks.
 */
public interface RecordRestorer extends AutoCloseable {

    /**
     * Writes the records that are absent. Existing records stay unchanged in any state. May be repeated.
     *
     * @return the number of records that were absent
     * @throws io.idem.StoreUnavailableException if the store did not answer; some may have been written
     */
    int restore(List<Lost> records);

    @Override
    void close();

    /**
     * A lost record of work that took effect.
     *
     * @param keyId digest of the key, see {@link io.idem.IdempotencyKey#id()}
     * @param fingerprint of the payload, or {@link Fingerprint#NONE}, which matches any
     * @param settledAt approximate time of the end
     * @param retention remaining time for which the record is to be kept; at least 1 ms
     */
    record Lost(
            String keyId,
            Scope scope,
            long fence,
            Fingerprint fingerprint,
            StoredResult result,
            Instant settledAt,
            Duration retention) {}
}
