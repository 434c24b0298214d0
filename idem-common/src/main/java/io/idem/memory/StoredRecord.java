package io.idem.memory;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A record with the transitions of the protocol. Immutable; every change returns a new one. */
record StoredRecord(
        RecordState state,
        int attempts,
        long fence,
        Fingerprint fingerprint,
        @Nullable OwnerToken owner,
        Instant at,
        Instant expiresAt,
        StoredResult result,
        String reason) {

    static StoredRecord granted(@Nullable StoredRecord before, AcquireRequest request, long fence, Instant leaseEnd) {
        Fingerprint known =
                before == null || !request.fingerprint().isNone() ? request.fingerprint() : before.fingerprint();
        int attempts = before == null ? 1 : Math.min(before.attempts() + 1, AcquireRequest.MOST_ATTEMPTS);
        return new StoredRecord(
                RecordState.PENDING,
                attempts,
                fence,
                known,
                request.owner(),
                leaseEnd,
                leaseEnd,
                StoredResult.NONE,
                "");
    }

    boolean pendingOf(OwnerToken token) {
        return state == RecordState.PENDING && token.equals(owner);
    }

    boolean ownedBy(Lease lease) {
        return pendingOf(lease.owner()) && fence == lease.fence();
    }

    /**
     * Returns whether this very grant was settled. COMPLETED and REJECTED drop the owner; there the fence names the
     * grant.
     */
    boolean settledBy(Lease lease) {
        boolean settledForGood = state == RecordState.COMPLETED || state == RecordState.REJECTED;
        return fence == lease.fence()
                && (settledForGood
                        || (state == RecordState.FAILED && lease.owner().equals(owner)));
    }

    boolean reopened() {
        return open() && attempts == 0;
    }

    StoredRecord leasedUntil(Instant end) {
        return new StoredRecord(state, attempts, fence, fingerprint, owner, end, expiresAt, result, reason);
    }

    StoredRecord completed(Instant now, StoredResult outcome) {
        return new StoredRecord(RecordState.COMPLETED, attempts, fence, fingerprint, null, now, expiresAt, outcome, "");
    }

    StoredRecord failed(Instant earliestRetry, boolean counted) {
        int left = counted ? attempts : Math.max(0, attempts - 1);
        return new StoredRecord(
                RecordState.FAILED,
                left,
                fence,
                left == 0 ? Fingerprint.NONE : fingerprint,
                owner,
                earliestRetry,
                expiresAt,
                StoredResult.NONE,
                "");
    }

    StoredRecord rejected(Instant now, String why) {
        return new StoredRecord(
                RecordState.REJECTED, attempts, fence, fingerprint, null, now, expiresAt, StoredResult.NONE, why);
    }

    /**
     * Returns the reopened record. A lapsed PENDING stays PENDING, because its outcome is unknown: the next grant is a
     * takeover.
     */
    StoredRecord reopenedAt(Instant now) {
        RecordState opened = state == RecordState.PENDING ? RecordState.PENDING : RecordState.FAILED;
        return new StoredRecord(opened, 0, fence, fingerprint, null, now, expiresAt, StoredResult.NONE, "");
    }

    boolean open() {
        return state == RecordState.PENDING || state == RecordState.FAILED;
    }

    /** Returns whether an operator's forced end has made this record of the one with the given fence. */
    boolean forced(long expectedFence, ForcedEnd end) {
        return fence == expectedFence + 1 && owner == null && state == stateAfter(end);
    }

    StoredRecord forcedAt(Instant now, ForcedEnd end) {
        return new StoredRecord(
                stateAfter(end), attempts, fence + 1, fingerprint, null, now, expiresAt, end.result(), "");
    }

    private static RecordState stateAfter(ForcedEnd end) {
        return end == ForcedEnd.COMPLETED ? RecordState.COMPLETED : RecordState.FAILED;
    }

    StoredRecord erased() {
        StoredResult left = result.equals(StoredResult.NONE) ? result : StoredResult.OMITTED;
        return new StoredRecord(state, attempts, fence, fingerprint, owner, at, expiresAt, left, "");
    }

    StoredRecord expiringAt(Instant expiry) {
        return new StoredRecord(state, attempts, fence, fingerprint, owner, at, expiry, result, reason);
    }

    RecordSnapshot snapshot(Scope scope) {
        return new RecordSnapshot(scope, state, attempts, fence, fingerprint, at, result, reason);
    }
}
