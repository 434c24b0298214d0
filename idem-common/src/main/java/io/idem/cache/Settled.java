package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import java.time.Duration;

/**
 * What a store answered to an acquire of a completed record.
 *
 * @param claim its result
 * @param fingerprint of the acquire; another one may not fit the record and has to be asked for
 * @param lifetime how long the answer may be given again
 */
record Settled(Claim.Replay claim, Fingerprint fingerprint, Duration lifetime) {

    private static final int OVERHEAD = 256;

    /** Whether the store would give a request the same answer: a request without fingerprint fits every record. */
    boolean answers(AcquireRequest request) {
        return request.fingerprint().equals(Fingerprint.NONE)
                || request.fingerprint().equals(fingerprint);
    }

    /** Bytes that it takes, roughly. */
    int weight() {
        return OVERHEAD + claim.result().size();
    }
}
