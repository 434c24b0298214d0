package io.idem.internal.record;

import static io.idem.internal.Durations.longer;

import io.idem.AcquireRequest;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.StoredResult;
import org.jspecify.annotations.Nullable;

/**
 * A record as it is kept. Its moments and the fence of a new grant are complete with the time of the write, see {@link
 * SeenRecord}. Immutable.
 *
 * @param owner the owner of the last grant; null where it has no rights any more
 * @param at end of the lease, earliest retry, or moment of settling
 * @param kept end of the retention
 */
public record StoredRecord(
        RecordState state,
        int attempts,
        StoredFence fence,
        Moment at,
        Moment kept,
        @Nullable OwnerToken owner,
        Fingerprint fingerprint,
        StoredResult result,
        String reason,
        RememberedSteps steps) {

    /** Returns the first grant of a record, with a fence above that of a record which has expired. */
    static StoredRecord first(AcquireRequest request, long fenceBefore) {
        return granted(request, 1, fenceBefore, GrantKind.FRESH, request.fingerprint(), RememberedSteps.NONE);
    }

    static StoredRecord granted(
            AcquireRequest request,
            int attempts,
            long fenceBefore,
            GrantKind kind,
            Fingerprint fingerprint,
            RememberedSteps steps) {
        return new StoredRecord(
                RecordState.PENDING,
                attempts,
                StoredFence.above(Math.max(fenceBefore, request.fenceFloor()), kind),
                Moment.after(request.lease().toMillis()),
                Moment.after(longer(request.lease(), request.retention()).toMillis()),
                request.owner(),
                fingerprint,
                StoredResult.NONE,
                "",
                steps);
    }
}
