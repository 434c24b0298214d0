package io.idem.zookeeper;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A write of an owner: what becomes of a record that it owns, and the answer if it owns none.
 *
 * @param change returns the next content of an owned record
 * @param repeated answers a write that took effect before; null if the record is another's
 */
record OwnersWrite(
        Lease lease, Function<SeenRecord, StoredRecord> change, Function<SeenRecord, @Nullable StoreAnswer> repeated) {

    /** A character of a string has three bytes in UTF-8 at most. */
    private static final int MOST_BYTES_OF_A_REASON = 3 * ZooKeeperIdempotencyStore.LONGEST_REASON;

    static OwnersWrite of(RecordUpdate update) {
        Lease lease = update.lease();
        if (update instanceof RecordUpdate.Renew) {
            return new OwnersWrite(
                    lease,
                    found -> found.renewed(lease),
                    found -> found.settledBy(lease) ? new StoreAnswer.AlreadySettled(found.state()) : null);
        }
        if (update instanceof RecordUpdate.Complete complete) {
            StoredResult kept = ZooKeeperIdempotencyStore.limited(lease.record(), complete.result());
            return end(lease, RecordState.COMPLETED, found -> found.completed(lease.retention(), kept));
        }
        if (update instanceof RecordUpdate.Fail fail) {
            return end(lease, RecordState.FAILED, found -> found.failed(fail));
        }
        if (update instanceof RecordUpdate.Reject reject) {
            String kept = ZooKeeperIdempotencyStore.limited(reject.reason());
            return end(lease, RecordState.REJECTED, found -> found.rejected(lease.retention(), kept));
        }
        RecordUpdate.Remember remember = (RecordUpdate.Remember) update;
        return new OwnersWrite(
                lease, found -> rejectable(lease, found.remembering(steps(found, remember))), found -> null);
    }

    private static OwnersWrite end(Lease lease, RecordState end, Function<SeenRecord, StoredRecord> change) {
        return new OwnersWrite(
                lease, change, found -> found.settledAs(end, lease) ? new StoreAnswer.Ok(found.result()) : null);
    }

    private static RememberedSteps steps(SeenRecord found, RecordUpdate.Remember remember) {
        RememberedStep step = remember.step();
        return found.stepsWith(
                remember.life(),
                new RememberedStep(
                        step.id(),
                        step.kind(),
                        step.fence(),
                        ZooKeeperIdempotencyStore.limited(remember.lease().record(), step.result())));
    }

    /** Returns a record with steps if a reason for its rejection still fits beside them. */
    private static StoredRecord rejectable(Lease lease, StoredRecord next) {
        int size = RecordBytes.encode(next).length;
        int most = Session.LARGEST - MOST_BYTES_OF_A_REASON;
        if (size > most) {
            throw new IllegalArgumentException("The record of " + lease.record() + " would take " + size
                    + " bytes with this step; ZooKeeper keeps at most " + most
                    + ": remember fewer steps, or smaller results");
        }
        return next;
    }

    boolean isOwners(SeenRecord found) {
        return found.ownedBy(lease);
    }

    StoredRecord next(SeenRecord owned) {
        return change.apply(owned);
    }

    /** Returns the answer for a record that is not the owner's, or for none. */
    StoreAnswer refused(@Nullable SeenRecord found) {
        StoreAnswer before = found == null ? null : repeated.apply(found);
        return before == null ? ZooKeeperIdempotencyStore.lost(found) : before;
    }
}
