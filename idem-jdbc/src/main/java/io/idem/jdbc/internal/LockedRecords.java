package io.idem.jdbc.internal;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.internal.record.Decision;
import io.idem.internal.record.Moment;
import io.idem.internal.record.RecordRules;
import io.idem.internal.record.SeenRecord;
import io.idem.internal.record.StoredFence;
import io.idem.internal.record.StoredRecord;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The records of MariaDB and MySQL: locks a row, decides by {@link RecordRules} and writes, in a transaction of its own. Failures of the
 * database are those of the driver. Thread-safe; blocks.
 */
public final class LockedRecords implements IdempotencyStore {

    /** The time after which a duplicate comes again if another transaction has the row. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(1);

    /** The longest wait for a transaction that has the row for a moment. */
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    /** The longest wait for a row that another transaction inserts: the shortest query timeout of JDBC. */
    private static final int LONGEST_SECONDS = 1;

    private static final long PAUSE = Duration.ofMillis(20).toNanos();
    private static final String OF_RECORD = " WHERE key_id = ? AND scope = ?";
    private static final String MOMENT = "'1970-01-01' + INTERVAL ? MICROSECOND";
    private static final String INSERT = "INSERT INTO idem_record (state, attempts, fence, owner, fingerprint, at,"
            + " expires_at, result_codec, result, reason, steps, grant_kind, key_id, scope) VALUES (?, ?, ?, ?, ?, "
            + MOMENT + ", " + MOMENT + ", ?, ?, ?, ?, ?, ?, ?)";
    private static final String UPDATE = "UPDATE idem_record SET state = ?, attempts = ?, fence = ?, owner = ?,"
            + " fingerprint = ?, at = " + MOMENT + ", expires_at = " + MOMENT + ", result_codec = ?, result = ?,"
            + " reason = ?, steps = ?, grant_kind = ?";
    private static final String NO_MESSAGES = ", outgoing = NULL, relay_at = NULL";

    private final InboxDialect dialect;
    private final OwnTransactions database;

    public LockedRecords(InboxDialect dialect, OwnTransactions database) {
        this.dialect = dialect;
        this.database = database;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::claim);
    }

    private Claim claim(AcquireRequest request) {
        Optional<Claim> answer = decided(
                request.record(),
                0,
                true,
                row -> RecordRules.acquire(row == null ? null : row.seen(), request, millis(row)));
        return answer.orElseGet(() -> new Claim.InProgress(UNDER_WAY));
    }

    /** Writes the end of claimed work without effect; returns false if another attempt has the record. */
    boolean failed(JdbcTemplate jdbc, Request attempt, RecordState state, Duration delay, Duration kept, String reason) {
        Lease lease = attempt.lease();
        return decided(jdbc, lease.record(), true, found -> {
            long known = found == null || lease.knownFence() > 0 ? lease.knownFence() : found.row().nowMicros();
            SeenRecord live = live(found);
            if (live != null && live.state() != RecordState.FAILED && !isOpenBelow(live, known)) {
                return new Decision<>(null, at -> false);
            }
            StoredRecord last = live == null ? null : live.stored();
            int next = last == null ? 1 : Math.min(last.attempts() + 1, AcquireRequest.MOST_ATTEMPTS);
            StoredRecord failed = new StoredRecord(
                    state,
                    last != null && lease.owner().equals(last.owner()) ? last.attempts() : next,
                    new StoredFence(Math.max(known, found == null ? 0 : found.row().fence()), known == 0, false),
                    new Moment(live == null ? 0 : live.at(), delay.toMillis()),
                    Moment.after(kept.toMillis()),
                    lease.owner(),
                    last == null || last.fingerprint().isNone() ? attempt.fingerprint() : last.fingerprint(),
                    StoredResult.NONE,
                    reason,
                    last == null ? RememberedSteps.NONE : last.steps());
            return new Decision<>(failed, at -> true);
        });
    }

    /** Makes the record that of an attempt which another store has granted, see {@link ClaimEnds#begun}. */
    Optional<RememberedSteps> begun(JdbcTemplate jdbc, Lease lease) {
        return decided(jdbc, lease.record(), false, found -> {
            SeenRecord live = live(found);
            boolean failed = live != null && live.state() == RecordState.FAILED && live.fence() <= lease.fence();
            if (live != null && (found.row().again() || !(failed || isOpenBelow(live, lease.fence())))) {
                return new Decision<>(null, at -> Optional.empty());
            }
            StoredRecord last = live == null ? null : live.stored();
            RememberedSteps steps = last == null ? RememberedSteps.NONE : last.steps();
            StoredRecord begun = new StoredRecord(
                    RecordState.PENDING,
                    last == null ? 1 : last.attempts(),
                    StoredFence.exactly(lease.fence()),
                    Moment.after(0),
                    Moment.after(lease.retention().toMillis()),
                    lease.owner(),
                    last == null ? Fingerprint.NONE : last.fingerprint(),
                    StoredResult.NONE,
                    "",
                    steps);
            return new Decision<>(begun, at -> Optional.of(steps));
        });
    }

    private static boolean isOpenBelow(SeenRecord live, long fence) {
        return live.state() == RecordState.PENDING && live.fence() <= fence;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(
                updates,
                update -> written(
                        update.lease().record(),
                        !(update instanceof RecordUpdate.Reject),
                        row -> RecordRules.update(live(row), ofTheirLife(row, update))));
    }

    /** Steps are kept with their fences alone: those that are there tell their life. */
    private static RecordUpdate ofTheirLife(@Nullable Row row, RecordUpdate update) {
        return update instanceof RecordUpdate.Remember step && row != null && !row.steps().isEmpty()
                ? new RecordUpdate.Remember(step.lease(), row.remembered().life(), step.step())
                : update;
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return written(
                record, false, row -> RecordRules.reopen(live(row), expectedFence, retention, millis(row)));
    }

    /** Ends no work that is to run again: messages of it may not have left, and its next attempt sends them. */
    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return written(
                record,
                false,
                row -> row != null && row.row().again()
                        ? new Decision<>(null, at -> new StoreAnswer.Lost(row.row().state(), StoredResult.NONE))
                        : RecordRules.force(live(row), expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return written(record, true, row -> RecordRules.erase(live(row)));
    }

    private StoreAnswer written(RecordId record, boolean keepsMessages, Rule<StoreAnswer> rule) {
        return decided(record, PATIENCE, keepsMessages, rule)
                .orElseGet(() -> new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE));
    }

    /** Decides and writes; empty if another transaction has the row for longer than the patience. */
    private <A> Optional<A> decided(RecordId record, long patience, boolean keepsMessages, Rule<A> rule) {
        long start = System.nanoTime();
        while (true) {
            try {
                return Optional.of(database.run(jdbc -> decided(jdbc, record, keepsMessages, rule)));
            } catch (DuplicateKeyException another) {
                // Inserted since it was looked for; the next look finds it.
            } catch (DataAccessException failure) {
                if (ClaimFailure.of(failure, true) != ClaimFailure.ROW_LOCKED) {
                    throw failure;
                }
                if (System.nanoTime() - start >= patience) {
                    return Optional.empty();
                }
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    private <A> A decided(JdbcTemplate jdbc, RecordId record, boolean keepsMessages, Rule<A> rule) {
        Row found =
                read(jdbc, record, " FOR UPDATE NOWAIT").stream().findFirst().orElse(null);
        Decision<A> decision = rule.decide(found);
        StoredRecord next = decision.next();
        long now = found == null && next != null ? clock(jdbc) : millis(found);
        if (next != null) {
            write(jdbc, record, found, new SeenRecord(next, now, 0), keepsMessages);
        }
        return decision.answer().apply(now);
    }

    private static long clock(JdbcTemplate jdbc) {
        Long micros = jdbc.queryForObject(
                "SELECT timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))", Long.class);
        return TimeUnit.MICROSECONDS.toMillis(micros == null ? 0 : micros);
    }

    private static long millis(@Nullable Row row) {
        return row == null ? 0 : TimeUnit.MICROSECONDS.toMillis(row.row().nowMicros());
    }

    private static @Nullable SeenRecord live(@Nullable Row row) {
        return row == null || row.row().expired() ? null : row.seen();
    }

    private void write(
            JdbcTemplate jdbc, RecordId record, @Nullable Row found, SeenRecord next, boolean keepsMessages) {
        boolean kept = found != null && keepsMessages && !found.row().expired();
        boolean completed = next.state() == RecordState.COMPLETED;
        boolean again = kept && !completed && found.row().again();
        boolean sends = kept && completed && found.row().done();
        String sql = found == null ? INSERT : UPDATE + (again || sends ? "" : NO_MESSAGES) + OF_RECORD;
        StoredRecord stored = next.stored();
        StoredResult result = again ? StoredResult.AGAIN : stored.result();
        boolean none = result.equals(StoredResult.NONE);
        int unused = jdbc.update(dialect.sql(sql), statement -> {
            if (dialect.claimWaits()) {
                // Waits if another transaction has inserted the row since it was looked for.
                statement.setQueryTimeout(LONGEST_SECONDS);
            }
            int unusedNumber = Parameters.bind(
                    statement,
                    RecordRow.number(next.state()),
                    stored.attempts(),
                    next.fence(),
                    stored.owner(),
                    stored.fingerprint(),
                    TimeUnit.MILLISECONDS.toMicros(next.at()),
                    TimeUnit.MILLISECONDS.toMicros(next.keptUntil()),
                    none ? null : result.codec(),
                    none ? null : result.content(),
                    stored.reason().isEmpty() ? null : stored.reason(),
                    StepColumn.write(stored.steps().steps()),
                    found == null ? 0 : found.row().state() == RecordState.FAILED ? 1 : 2,
                    record);
        });
    }

    private List<Row> read(JdbcTemplate jdbc, RecordId record, String more) {
        return jdbc.query(
                dialect.sql("SELECT" + dialect.columns() + ", steps FROM idem_record" + OF_RECORD + more),
                (columns, number) ->
                        new Row(RecordRow.read(columns), StepColumn.read(record, columns.getString("steps"))),
                record.key().id(),
                record.scope().name());
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return found(record).map(found -> found.row().snapshot());
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return found(record).map(Row::remembered).orElse(RememberedSteps.NONE);
    }

    private Optional<Row> found(RecordId record) {
        return database.runAlone(jdbc -> read(jdbc, record, "")).stream()
                .filter(found -> !found.row().expired())
                .findFirst();
    }

    /** Reads the records of a key in all scopes that have any, announced or not. */
    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return new RecordPages(dialect, database)
                .of(key).stream().map(RecordRow::snapshot).toList();
    }

    /** Does nothing: the rows tell the scopes of a key. */
    @Override
    public void announce(Scope scope) {}

    /** Returns the thread of the caller. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(Runnable::run);
    }

    /** Does nothing: the data source belongs to the caller. */
    @Override
    public void close() {}

    @FunctionalInterface
    private interface Rule<A> {
        Decision<A> decide(@Nullable Row found);
    }

    /** A row with its steps. */
    private record Row(RecordRow row, List<RememberedStep> steps) {

        RememberedSteps remembered() {
            return StepColumn.remembered(steps);
        }

        SeenRecord seen() {
            return row.seen(steps);
        }
    }
}
