package io.idem.internal.record;

import static io.idem.internal.Durations.longer;

import io.idem.AcquireRequest;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Duration;
import java.time.Instant;

/**
 * A record as it was read, with the transitions of the protocol. Each returns what the record is next, to be written if
 * it still has the version that was read. Immutable.
 *
 * @param writtenAt the store's time of the last write, in milliseconds since 1970-01-01 UTC
 * @param version a number that every write changes, where the store needs one
 */
public record SeenRecord(StoredRecord stored, long writtenAt, int version) {

    public RecordState state() {
        return stored.state();
    }

    StoredResult result() {
        return stored.result();
    }

    public long fence() {
        return stored.fence().of(writtenAt);
    }

    public long at() {
        return stored.at().of(writtenAt);
    }

    public long keptUntil() {
        return stored.kept().of(writtenAt);
    }

    public boolean isLive(long now) {
        return keptUntil() > now;
    }

    boolean isSettled() {
        return state() == RecordState.COMPLETED || state() == RecordState.REJECTED;
    }

    boolean pendingOf(OwnerToken owner) {
        return state() == RecordState.PENDING && owner.equals(stored.owner());
    }

    boolean ownedBy(Lease lease) {
        return pendingOf(lease.owner()) && fence() == lease.fence();
    }

    /** Returns whether the record was left as {@link RecordUpdate.Fail#leavesTakeover} says. */
    boolean leftBy(RecordUpdate update) {
        return update instanceof RecordUpdate.Fail fail
                && fail.leavesTakeover()
                && state() == RecordState.PENDING
                && stored.owner() == null
                && fence() == fail.lease().fence();
    }

    /**
     * Returns whether this very grant was settled. COMPLETED and REJECTED drop the owner; there the fence names the
     * grant.
     */
    boolean settledBy(Lease lease) {
        return fence() == lease.fence()
                && (isSettled()
                        || (state() == RecordState.FAILED && lease.owner().equals(stored.owner())));
    }

    GrantKind nextGrant() {
        return state() == RecordState.FAILED ? GrantKind.RETRY : GrantKind.TAKEOVER;
    }

    StoredRecord granted(AcquireRequest request) {
        Fingerprint known = request.fingerprint().isNone() ? stored.fingerprint() : request.fingerprint();
        int attempts = Math.min(stored.attempts() + 1, AcquireRequest.MOST_ATTEMPTS);
        return StoredRecord.granted(request, attempts, fence(), nextGrant(), known, stored.steps());
    }

    /** Returns the grant once more: the lease counts from now, but never ends earlier than it did. */
    StoredRecord reentered(AcquireRequest request) {
        long kept = longer(request.lease(), request.retention()).toMillis();
        return open(
                RecordState.PENDING,
                stored.attempts(),
                new Moment(at(), request.lease().toMillis()),
                new Moment(at(), kept),
                stored.steps());
    }

    /** Returns the record after a write of its owner. */
    StoredRecord after(RecordUpdate update) {
        Duration retention = update.lease().retention();
        if (update instanceof RecordUpdate.Renew renew) {
            return open(RecordState.PENDING, stored.attempts(), renew.lease().duration(), retention);
        }
        if (update instanceof RecordUpdate.Fail fail) {
            int attempts = Math.max(0, stored.attempts() - (fail.counted() ? 0 : 1));
            if (fail.leavesTakeover()) {
                return ended(RecordState.PENDING, attempts, fence(), retention, StoredResult.NONE, "");
            }
            return open(RecordState.FAILED, attempts, fail.delay(), retention);
        }
        if (update instanceof RecordUpdate.Complete complete) {
            return ended(RecordState.COMPLETED, stored.attempts(), fence(), retention, complete.result(), "");
        }
        if (update instanceof RecordUpdate.Remember remember) {
            RememberedSteps steps = stored.steps().with(remember.life(), remember.step());
            return open(state(), stored.attempts(), Moment.at(at()), Moment.at(keptUntil()), steps);
        }
        String reason = ((RecordUpdate.Reject) update).reason();
        return ended(RecordState.REJECTED, stored.attempts(), fence(), retention, StoredResult.NONE, reason);
    }

    boolean isOpen() {
        return state() == RecordState.PENDING || state() == RecordState.FAILED;
    }

    /**
     * Returns the reopened record. A lapsed PENDING stays PENDING, because its outcome is unknown: the next grant is a
     * takeover. A completed one has no steps.
     */
    StoredRecord reopened(Duration retention) {
        RecordState opened = state() == RecordState.PENDING ? RecordState.PENDING : RecordState.FAILED;
        return ended(opened, 0, fence(), retention, StoredResult.NONE, "");
    }

    /** Returns whether an operator's forced end has made this record of the one with the given fence. */
    boolean isForced(long before, ForcedEnd end) {
        return fence() == before + 1 && stored.owner() == null && state() == stateAfter(end);
    }

    /** Returns the record that an operator ends; empty of an owner, under the next fence. */
    StoredRecord forced(ForcedEnd end, Duration retention) {
        return ended(stateAfter(end), stored.attempts(), fence() + 1, retention, end.result(), "");
    }

    private static RecordState stateAfter(ForcedEnd end) {
        return end == ForcedEnd.COMPLETED ? RecordState.COMPLETED : RecordState.FAILED;
    }

    StoredRecord erased() {
        StoredResult left = result().equals(StoredResult.NONE) ? result() : StoredResult.OMITTED;
        return new StoredRecord(
                state(),
                stored.attempts(),
                StoredFence.exactly(fence()),
                Moment.at(at()),
                Moment.at(keptUntil()),
                stored.owner(),
                stored.fingerprint(),
                left,
                "",
                stored.steps().erased());
    }

    /** Returns whether there is neither a result nor a reason, nor a step with a result. */
    boolean isErased() {
        StoredRecord erased = erased();
        return erased.result().equals(result())
                && stored.reason().isEmpty()
                && erased.steps().equals(stored.steps());
    }

    private StoredRecord open(RecordState state, int attempts, Duration until, Duration retention) {
        Moment kept = Moment.after(longer(until, retention).toMillis());
        return open(state, attempts, Moment.after(until.toMillis()), kept, stored.steps());
    }

    private StoredRecord open(RecordState state, int attempts, Moment at, Moment kept, RememberedSteps steps) {
        return new StoredRecord(
                state,
                attempts,
                StoredFence.exactly(fence()),
                at,
                kept,
                stored.owner(),
                attempts == 0 ? Fingerprint.NONE : stored.fingerprint(),
                StoredResult.NONE,
                "",
                steps);
    }

    /** Returns the record without its owner. Completed work needs no steps. */
    private StoredRecord ended(
            RecordState end, int attempts, long fence, Duration retention, StoredResult result, String reason) {
        boolean completed = end == RecordState.COMPLETED || state() == RecordState.COMPLETED;
        return new StoredRecord(
                end,
                attempts,
                StoredFence.exactly(fence),
                Moment.after(0),
                Moment.after(retention.toMillis()),
                null,
                stored.fingerprint(),
                result,
                reason,
                completed ? RememberedSteps.NONE : stored.steps());
    }

    public RecordSnapshot snapshot(Scope scope) {
        return new RecordSnapshot(
                scope,
                state(),
                stored.attempts(),
                fence(),
                stored.fingerprint(),
                Instant.ofEpochMilli(at()),
                result(),
                stored.reason());
    }
}
