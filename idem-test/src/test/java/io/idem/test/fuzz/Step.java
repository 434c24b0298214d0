package io.idem.test.fuzz;

import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RememberedSteps.Kind;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Duration;
import java.util.List;

/**
 * One operation, in terms that both stores understand: grants are named by the order in which they were given. All durations
 * are multiples of {@link Generator#UNIT}.
 */
sealed interface Step {

    /** Which record it is about. */
    RecordId record();

    /** Asks for the record; the floor is the fence of an earlier grant, or none if negative. */
    record Acquire(
            RecordId record,
            OwnerToken owner,
            Duration lease,
            Duration retention,
            Fingerprint fingerprint,
            int floorGrant,
            int maxAttempts)
            implements Step {}

    /** Settles or renews with a grant that was given once, maybe in somebody else's name. */
    sealed interface Owned extends Step {

        /** Number of the grant. */
        int grant();

        /** In whose name. */
        OwnerToken as();
    }

    record Renew(RecordId record, int grant, OwnerToken as) implements Owned {}

    record Complete(RecordId record, int grant, OwnerToken as, StoredResult result) implements Owned {}

    record Fail(RecordId record, int grant, OwnerToken as, Duration delay, boolean counted) implements Owned {}

    record Reject(RecordId record, int grant, OwnerToken as, String reason) implements Owned {}

    /** Remembers a step of the work, in the life that the grant found or began. */
    record Remember(RecordId record, int grant, OwnerToken as, String id, Kind kind, StoredResult result)
            implements Owned {}

    record Recall(RecordId record, int grant, OwnerToken as) implements Owned {}

    /** An operator's removal of what a settled record and its steps contain. */
    record Erase(RecordId record) implements Step {}

    /** Reopens with the fence of a grant that was given once. */
    record Reopen(RecordId record, int grant, Duration retention) implements Step {}

    /**
     * An operator's end of a grant that was given once.
     *
     * @param before how many operators' ends of that grant it follows: each of them makes the fence the next one
     */
    record Force(RecordId record, int grant, int before, ForcedEnd end, Duration retention) implements Step {}

    /** Several acquires, or several renewals and settles, in one call; some may be about one record. */
    record Batch(List<Step> steps) implements Step {

        @Override
        public RecordId record() {
            return steps.get(0).record();
        }
    }

    /** Lets time pass. */
    record Advance(RecordId record, Duration by) implements Step {}
}
