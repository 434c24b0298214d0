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
 * Keeps the records: both of its sides in one object. Implementations write the methods of {@link RecordStore} and
 * {@link RecordAdmin}; the methods of this type ask for one transition and wait for its answer, for at most the lease that it
 * is about, five seconds where that is shorter, and throw what the stage ends with. They wait no longer than until an
 * interrupt either; the transition may take effect all the same, and the failure is a {@link StoreUnavailableException} that
 * says so.
 */
public interface IdempotencyStore extends RecordStore, RecordAdmin {

    /** Asks for the right to do the work, and waits. */
    default Claim acquire(AcquireRequest request) {
        return Stages.await(acquire(List.of(request)).get(0), request.lease());
    }

    /** Writes one update, and waits. */
    default StoreAnswer update(RecordUpdate update) {
        return Stages.await(update(List.of(update)).get(0), update.lease().duration());
    }

    /** See {@link RecordUpdate.Renew}. */
    default StoreAnswer renew(Lease lease) {
        return update(new RecordUpdate.Renew(lease));
    }

    /** See {@link RecordUpdate.Complete}. */
    default StoreAnswer complete(Lease lease, StoredResult result) {
        return update(new RecordUpdate.Complete(lease, result));
    }

    /** See {@link RecordUpdate.Fail}. */
    default StoreAnswer fail(Lease lease, Duration delay) {
        return update(new RecordUpdate.Fail(lease, delay));
    }

    /** See {@link RecordUpdate.Reject}. */
    default StoreAnswer reject(Lease lease, String reason) {
        return update(new RecordUpdate.Reject(lease, reason));
    }
}
