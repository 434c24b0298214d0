package io.idem.jdbc.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.internal.record.RecordRules;
import io.idem.jdbc.internal.InboxRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A record as it was read, within its retention.
 *
 * @param owner the owner token in hexadecimal digits
 * @param left the time until {@code at}; not positive if that has passed
 * @param kept the rest of the retention
 */
record RecordRow(RecordSnapshot snapshot, String owner, Duration left, Duration kept) {

    private static final RecordState[] STATES = {
        RecordState.ABSENT, RecordState.PENDING, RecordState.COMPLETED, RecordState.FAILED, RecordState.REJECTED
    };

    static RecordRow read(ResultSet row) throws SQLException {
        RecordSnapshot snapshot = new RecordSnapshot(
                new Scope(row.getString("scope")),
                STATES[row.getInt("state")],
                row.getInt("attempts"),
                row.getLong("fence"),
                InboxRows.fingerprint(row),
                row.getObject("at", OffsetDateTime.class).toInstant(),
                InboxRows.result(row),
                row.getString("reason"));
        return new RecordRow(
                snapshot,
                HexFormat.of().formatHex(row.getBytes("owner")),
                Duration.of(row.getLong("left_micros"), ChronoUnit.MICROS),
                Duration.ofMillis(row.getLong("kept_millis")));
    }

    /** Returns the answer to an acquire; empty if this row would have allowed the grant, and so has changed since. */
    Optional<Claim> refusal(AcquireRequest request) {
        boolean own = snapshot.state() == RecordState.PENDING
                && owner.equals(request.owner().toString());
        return RecordRules.refusal(snapshot, own, left, request);
    }

    /**
     * Returns whether this very grant was settled. COMPLETED and REJECTED drop the owner; there the fence names the
     * grant.
     */
    boolean settledBy(Lease lease) {
        return switch (snapshot.state()) {
            case COMPLETED, REJECTED -> snapshot.fence() == lease.fence();
            case FAILED ->
                snapshot.fence() == lease.fence() && owner.equals(lease.owner().toString());
            default -> false;
        };
    }

    /** Returns whether the takeover of this very grant was left to the next one. */
    boolean leftBy(Lease lease) {
        return snapshot.state() == RecordState.PENDING && snapshot.fence() == lease.fence() && owner.isEmpty();
    }

    boolean settled() {
        return snapshot.state() == RecordState.COMPLETED || snapshot.state() == RecordState.REJECTED;
    }

    boolean reopened(long fence) {
        return snapshot.fence() == fence && !settled() && snapshot.attempts() == 0;
    }

    /** Returns whether an operator's forced end has made this row of the one with the given fence. */
    boolean forced(long before, RecordState end) {
        return snapshot.fence() == before + 1 && owner.isEmpty() && snapshot.state() == end;
    }

    /** Returns the result of a completed record; else {@link StoredResult#NONE}. */
    StoredResult result() {
        return snapshot.result();
    }
}
