package io.idem.jdbc.internal;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Inbox.Effect;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.internal.record.Moment;
import io.idem.internal.record.RecordRules;
import io.idem.internal.record.SeenRecord;
import io.idem.internal.record.StoredFence;
import io.idem.internal.record.StoredRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read, expired or not. Only one in the state COMPLETED is done work.
 *
 * @param snapshot the record
 * @param owner the owner token; null if none has any rights
 * @param stored what the columns of the result hold, also that the work is to run {@linkplain StoredResult#AGAIN again}
 * @param relayed whether a relay is still to send its messages
 * @param left the time until {@code at}; not positive if that has passed
 * @param kept the rest of the retention; not positive if that is over
 * @param nowMicros the clock of the database
 */
public record RecordRow(
        String keyId,
        RecordSnapshot snapshot,
        @Nullable OwnerToken owner,
        StoredResult stored,
        boolean relayed,
        Duration left,
        Duration kept,
        long nowMicros) {

    private static final List<RecordState> STATES = List.of(
            RecordState.ABSENT,
            RecordState.PENDING,
            RecordState.COMPLETED,
            RecordState.FAILED,
            RecordState.REJECTED);

    /** Returns the number of a state in the column {@code state}. */
    public static int number(RecordState state) {
        return STATES.indexOf(state);
    }

    /** Reads the columns of {@link InboxDialect.Words#columns}. */
    public static RecordRow read(ResultSet row) throws SQLException {
        RecordState state = STATES.get(row.getInt("state"));
        StoredResult stored = result(row);
        long at = row.getLong("at_micros");
        long now = row.getLong("now_micros");
        String reason = row.getString("reason");
        RecordSnapshot snapshot = new RecordSnapshot(
                new Scope(row.getString("scope")),
                state,
                row.getInt("attempts"),
                row.getLong("fence"),
                fingerprint(row),
                Instant.EPOCH.plus(at, ChronoUnit.MICROS),
                state == RecordState.COMPLETED ? stored : StoredResult.NONE,
                reason == null ? "" : reason);
        byte[] owner = row.getBytes("owner");
        return new RecordRow(
                row.getString("key_id"),
                snapshot,
                owner == null ? null : OwnerToken.ofBytes(owner),
                stored,
                row.getObject("relay_at") != null,
                Duration.of(at - now, ChronoUnit.MICROS),
                Duration.of(row.getLong("kept_micros") - now, ChronoUnit.MICROS),
                now);
    }

    public static Fingerprint fingerprint(ResultSet row) throws SQLException {
        byte[] digest = row.getBytes("fingerprint");
        return digest == null ? Fingerprint.NONE : Fingerprint.ofBytes(digest);
    }

    public static StoredResult result(ResultSet row) throws SQLException {
        String codec = row.getString("result_codec");
        byte[] content = row.getBytes("result");
        return codec == null ? StoredResult.NONE : StoredResult.of(codec, content == null ? new byte[0] : content);
    }

    /** Reads the effect of a row of {@link InboxDialect#look}. Messages that a relay sends are not those of the reader. */
    public Effect effect(ResultSet row) throws SQLException {
        byte[] outgoing = relayed ? null : row.getBytes("outgoing");
        List<OutgoingMessage> messages = outgoing == null ? List.of() : OutgoingCodec.decode(outgoing);
        return new Effect(stored, messages, snapshot.fingerprint());
    }

    public RecordState state() {
        return snapshot.state();
    }

    public long fence() {
        return snapshot.fence();
    }

    /** Returns whether the row counts as absent. One whose messages are still to be sent does not. */
    public boolean expired() {
        return kept.compareTo(Duration.ZERO) <= 0 && !relayed;
    }

    /** Returns whether the work is to run again, once the messages that are kept here have been confirmed. */
    public boolean again() {
        return stored.equals(StoredResult.AGAIN);
    }

    public boolean done() {
        return state() == RecordState.COMPLETED;
    }

    public boolean settled() {
        return done() || state() == RecordState.REJECTED;
    }

    public boolean isOf(OwnerToken token) {
        return token.equals(owner);
    }

    /** Returns whether this is the lease of an attempt, ended or not. */
    public boolean isLease(Lease lease) {
        return state() == RecordState.PENDING && fence() == lease.fence() && isOf(lease.owner());
    }

    /** Returns whether an owner has a lease that has not ended. */
    public boolean underWay() {
        return state() == RecordState.PENDING && left.compareTo(Duration.ZERO) > 0;
    }

    /** Returns whether an attempt has failed and the next one need not end anything first. */
    public boolean rests() {
        return state() == RecordState.FAILED;
    }

    /** Returns the answer to an acquire; empty if this row would have allowed the grant, and so has changed since. */
    public Optional<Claim> refusal(AcquireRequest request) {
        boolean own = state() == RecordState.PENDING && isOf(request.owner());
        return RecordRules.refusal(snapshot, own, left, request);
    }

    /** Returns the answer to a claim of work whose failures are counted here; empty if it may run. */
    public Optional<Claim> refusal(Request request) {
        Duration any = Duration.ofMillis(1);
        return refusal(new AcquireRequest(
                request.record(),
                request.lease().owner(),
                any,
                any,
                request.fingerprint(),
                0,
                request.maxAttempts()));
    }

    /** Returns what the rules of records see of this row and its steps. */
    public SeenRecord seen(List<RememberedStep> steps) {
        StoredRecord stored = new StoredRecord(
                snapshot.state(),
                snapshot.attempts(),
                StoredFence.exactly(snapshot.fence()),
                Moment.at(TimeUnit.MICROSECONDS.toMillis(nowMicros + left.toNanos() / 1_000)),
                Moment.at(TimeUnit.MICROSECONDS.toMillis(nowMicros + kept.toNanos() / 1_000)),
                owner,
                snapshot.fingerprint(),
                snapshot.result(),
                snapshot.reason(),
                StepColumn.remembered(steps));
        return new SeenRecord(stored, 0, 0);
    }
}
