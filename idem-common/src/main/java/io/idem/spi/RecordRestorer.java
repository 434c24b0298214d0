package io.idem.spi;

import io.idem.Fingerprint;
import io.idem.Scope;
import io.idem.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Writes COMPLETED records that a store has lost, past the transitions of the protocol: for an operator who knows from elsewhere
 * what took effect. Thread-safe; blocks.
 */
public interface RecordRestorer extends AutoCloseable {

    /**
     * Writes those that are absent. Whatever is there already stays as it is, in whichever state. May be repeated.
     *
     * @return how many were absent
     * @throws io.idem.StoreUnavailableException if the store did not answer; some may have been written
     */
    int restore(List<Lost> records);

    @Override
    void close();

    /**
     * A record that took effect.
     *
     * @param keyId digest of the key, see {@link io.idem.IdempotencyKey#id()}
     * @param fingerprint of the payload, or {@link Fingerprint#NONE}, which matches any
     * @param settledAt about when
     * @param retention how much longer the record is to be kept; at least 1 ms
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
