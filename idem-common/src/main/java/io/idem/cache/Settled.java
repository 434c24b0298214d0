package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import java.time.Duration;

/**
 * A store's answer to the acquire of a completed record.
 *
 * @param claim the result
 * @param fingerprint the fingerprint of the acquire; another one has not been compared with the record
 * @param lifetime the time for which the answer may be given again
 */
record Settled(Claim.Replay claim, Fingerprint fingerprint, Duration lifetime) {

    private static final int OVERHEAD = 256;

    /**
     * Returns whether the store would give a request the same answer. A request without fingerprint matches every
     * record.
     */
    boolean answers(AcquireRequest request) {
        return request.fingerprint().equals(Fingerprint.NONE)
                || request.fingerprint().equals(fingerprint);
    }

    /** Returns the approximate size in bytes. */
    int weight() {
        return OVERHEAD + claim.result().size();
    }
}
