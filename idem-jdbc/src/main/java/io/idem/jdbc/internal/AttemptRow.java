package io.idem.jdbc.internal;

import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;

/**
 * The attempts at a record whose transaction has not committed.
 *
 * @param fence the greatest fence of the attempts that have read the steps; 0 for a new row
 * @param owner the token of the owner of the lease, in hexadecimal digits; empty if there is no lease
 * @param lapsed the number of leases that ended without a word of their owner, without the present one
 * @param fingerprint the fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param remaining the rest of the lease; zero or negative if it is over
 * @param nowMicros the clock of the database
 */
public record AttemptRow(
        long fence,
        List<RememberedStep> steps,
        String owner,
        int lapsed,
        Fingerprint fingerprint,
        Duration remaining,
        long nowMicros) {

    /** Returns whether no attempt came before. */
    public boolean isNew() {
        return fence == 0;
    }

    /** Returns whether the lease is that of an owner. */
    public boolean isOf(OwnerToken token) {
        return owner.equals(token.toString());
    }

    /** Returns whether there is a lease, which may be over. */
    public boolean isLeased() {
        return !owner.isEmpty();
    }

    /** Returns whether there is a lease that is not over. */
    public boolean isUnderWay() {
        return isLeased() && !remaining.isNegative() && !remaining.isZero();
    }

    /** Returns whether there is a lease of a fence that is over. */
    public boolean hasLapsed(long ofFence) {
        return isLeased() && !isUnderWay() && fence == ofFence;
    }

    /** Returns the lease of its owner, whose times are not known any more. */
    public Lease lease(RecordId record) {
        OwnerToken token = OwnerToken.ofBytes(HexFormat.of().parseHex(owner));
        return new Lease(record, token, fence, allLapsed(), Duration.ofMillis(1), Duration.ofMillis(1));
    }

    /** Returns the number of leases that have ended without a word of their owner. */
    public int allLapsed() {
        return lapsed + (isLeased() ? 1 : 0);
    }

    /** Returns the steps as those of a record. */
    public RememberedSteps remembered() {
        return isNew() ? RememberedSteps.NONE : new RememberedSteps(fence, steps);
    }

    /** Returns the record of a lease, after a number of failed attempts. */
    public RecordSnapshot pending(Scope scope, int failed) {
        Instant end = Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS).plus(remaining);
        return new RecordSnapshot(
                scope, RecordState.PENDING, failed + lapsed + 1, fence, fingerprint, end, StoredResult.NONE, "");
    }
}
