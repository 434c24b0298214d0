package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import java.time.Duration;
import java.util.List;

/**
 * Store of records: {@link RecordStore} and {@link RecordAdmin} in one object, whose methods implementations write. The
 * methods of this type send one request and wait for its answer, for at most the lease of the request, or five seconds
 * where the lease is shorter. They throw the failure of the stage. An interrupt ends the wait; the request may still
 * take effect, and the failure is a {@link StoreUnavailableException} that says so.
 */
public interface IdempotencyStore extends RecordStore, RecordAdmin {

    /**
     * Checks that the store takes work, by a grant and its end that concern no record in use; for health and after an outage.
     * Stores that know more than a grant shows, such as that records may be lost, check that too. Blocks.
     *
     * @throws StoreUnavailableException if it does not; the message says why, and where that is known what to do
     */
    default void check() {
        if (acquire(AcquireRequest.trial(0)) instanceof Claim.Granted granted) {
            var unused = update(new RecordUpdate.Fail(granted.lease(), Duration.ZERO));
        }
    }

    /** Acquires a record, and waits. */
    default Claim acquire(AcquireRequest request) {
        return Stages.await(acquire(List.of(request)).get(0), request.lease());
    }

    /** Writes one update, and waits. */
    default StoreAnswer update(RecordUpdate update) {
        return Stages.await(update(List.of(update)).get(0), update.lease().duration());
    }

    /** Renews a lease, and waits; see {@link RecordUpdate.Renew}. */
    default StoreAnswer renew(Lease lease) {
        return update(new RecordUpdate.Renew(lease));
    }

    /** Completes a record, forgets its steps, and waits; see {@link RecordUpdate.Complete}. */
    default StoreAnswer complete(Lease lease, StoredResult result) {
        return update(new RecordUpdate.Complete(lease, result, true));
    }

    /** Releases a key, and waits; see {@link RecordUpdate.Fail}. */
    default StoreAnswer fail(Lease lease, Duration delay) {
        return update(new RecordUpdate.Fail(lease, delay));
    }

    /** Rejects a record, and waits; see {@link RecordUpdate.Reject}. */
    default StoreAnswer reject(Lease lease, String reason) {
        return update(new RecordUpdate.Reject(lease, reason));
    }
}
