package io.idem.zookeeper;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record as it was read, with the transitions of the protocol. Each returns the bytes' next content, to be written
 * if the node still has the version that was read. Immutable.
 *
 * @param writtenAt the server's time of the last write, in milliseconds since 1970-01-01 UTC
 * @param version the version of the node
 */
record SeenRecord(StoredRecord stored, long writtenAt, int version) {

    RecordState state() {
        return stored.state();
    }

    StoredResult result() {
        return stored.result();
    }

    long fence() {
        return stored.fence().of(writtenAt);
    }

    long at() {
        return stored.at().of(writtenAt);
    }

    long keptUntil() {
        return stored.kept().of(writtenAt);
    }

    boolean settled() {
        return state() == RecordState.COMPLETED || state() == RecordState.REJECTED;
    }

    private boolean open() {
        return state() == RecordState.PENDING || state() == RecordState.FAILED;
    }

    boolean pendingOf(OwnerToken owner) {
        return state() == RecordState.PENDING && owner.equals(stored.owner());
    }

    boolean ownedBy(Lease lease) {
        return pendingOf(lease.owner()) && fence() == lease.fence();
    }

    /**
     * Returns whether this very grant was settled. COMPLETED and REJECTED drop the owner; there the fence names the
     * grant.
     */
    boolean settledBy(Lease lease) {
        return fence() == lease.fence()
                && (settled() || (state() == RecordState.FAILED && lease.owner().equals(stored.owner())));
    }

    boolean settledAs(RecordState end, Lease lease) {
        return state() == end && settledBy(lease);
    }

    /**
     * Returns an answer that is still right if the time is later than {@code now}, or that only asks the caller to wait
     * longer; null if more must be known.
     */
    @Nullable Claim refusalNotBefore(AcquireRequest request, long now) {
        if (!request.fingerprint().matches(stored.fingerprint())) {
            return new Claim.Mismatch();
        }
        Duration left = Duration.ofMillis(Math.max(0, at() - now));
        return switch (state()) {
            case COMPLETED -> new Claim.Replay(result(), fence());
            case REJECTED -> new Claim.Rejected(stored.reason(), fence());
            case PENDING -> pendingOf(request.owner()) || left.isZero() ? null : new Claim.InProgress(left);
            case FAILED -> left.isZero() ? null : new Claim.NotYet(left);
            case ABSENT -> null;
        };
    }

    /** Returns the refusal of an acquire at the server's time {@code now}; null if it is granted. */
    @Nullable Claim refusal(AcquireRequest request, long now) {
        Claim refusal = refusalNotBefore(request, now);
        if (refusal != null || pendingOf(request.owner())) {
            return refusal;
        }
        boolean exhausted = request.maxAttempts() != 0 && stored.attempts() >= request.maxAttempts();
        return exhausted ? new Claim.Exhausted(stored.attempts(), fence()) : null;
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
        long lease = request.lease().toMillis();
        return with(
                RecordState.PENDING,
                stored.attempts(),
                Moment.atLeast(at(), lease),
                Moment.atLeast(at(), Math.max(lease, request.retention().toMillis())));
    }

    StoredRecord renewed(Lease lease) {
        long duration = lease.duration().toMillis();
        return with(
                RecordState.PENDING,
                stored.attempts(),
                Moment.after(duration),
                Moment.after(Math.max(duration, lease.retention().toMillis())));
    }

    StoredRecord failed(RecordUpdate.Fail update) {
        long delay = update.delay().toMillis();
        return with(
                RecordState.FAILED,
                Math.max(0, stored.attempts() - (update.counted() ? 0 : 1)),
                Moment.after(delay),
                Moment.after(Math.max(delay, update.lease().retention().toMillis())));
    }

    StoredRecord completed(Duration retention, StoredResult result) {
        return ended(RecordState.COMPLETED, fence(), retention, result, "", RememberedSteps.NONE);
    }

    StoredRecord rejected(Duration retention, String reason) {
        return ended(RecordState.REJECTED, fence(), retention, StoredResult.NONE, reason, stored.steps());
    }

    StoredRecord remembering(RememberedSteps steps) {
        return new StoredRecord(
                state(),
                stored.attempts(),
                StoredFence.exactly(fence()),
                Moment.at(at()),
                Moment.at(keptUntil()),
                stored.owner(),
                stored.fingerprint(),
                result(),
                stored.reason(),
                steps);
    }

    RememberedSteps stepsWith(long life, RememberedStep step) {
        return stored.steps().with(life, step);
    }

    boolean reopened() {
        return open() && stored.attempts() == 0;
    }

    /**
     * Returns the reopened record. A lapsed PENDING stays PENDING, because its outcome is unknown: the next grant is a
     * takeover.
     */
    StoredRecord reopened(Duration retention) {
        return new StoredRecord(
                state() == RecordState.PENDING ? RecordState.PENDING : RecordState.FAILED,
                0,
                StoredFence.exactly(fence()),
                Moment.after(0),
                Moment.after(retention.toMillis()),
                null,
                stored.fingerprint(),
                StoredResult.NONE,
                "",
                state() == RecordState.COMPLETED ? RememberedSteps.NONE : stored.steps());
    }

    /** Returns whether an operator's forced end has made this record of the one with the given fence. */
    boolean forced(long before, ForcedEnd end) {
        return fence() == before + 1 && stored.owner() == null && state() == stateAfter(end);
    }

    /** Returns the record that an operator ends; empty of an owner, under the next fence. */
    @Nullable StoredRecord forced(long expected, ForcedEnd end, Duration retention) {
        if (!open() || fence() != expected) {
            return null;
        }
        RememberedSteps left = end == ForcedEnd.COMPLETED ? RememberedSteps.NONE : stored.steps();
        return ended(stateAfter(end), expected + 1, retention, end.result(), "", left);
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

    private StoredRecord with(RecordState state, int attempts, Moment at, Moment kept) {
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
                stored.steps());
    }

    private StoredRecord ended(
            RecordState end,
            long fence,
            Duration retention,
            StoredResult result,
            String reason,
            RememberedSteps steps) {
        return new StoredRecord(
                end,
                stored.attempts(),
                StoredFence.exactly(fence),
                Moment.after(0),
                Moment.after(retention.toMillis()),
                null,
                stored.fingerprint(),
                result,
                reason,
                steps);
    }

    RecordSnapshot snapshot(Scope scope) {
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
