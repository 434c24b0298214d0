package io.idem.jdbc.store;

import static io.idem.internal.Durations.longer;

import io.idem.AcquireRequest;
import io.idem.Claim.GrantKind;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.internal.record.Decision;
import io.idem.internal.record.RecordRules;
import io.idem.internal.record.SeenRecord;
import io.idem.jdbc.internal.AdvisoryLock;
import io.idem.jdbc.internal.Parameters;
import io.idem.jdbc.internal.RecordRow;
import io.idem.jdbc.internal.StepColumn;
import io.idem.jdbc.internal.StoreConnections;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.SettledRecords;
import io.idem.spi.Stages;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store on PostgreSQL, for applications without Redis. Thread-safe; every call blocks on JDBC.
 *
 * <p>Each transition is one statement on a connection of its own that commits by itself, whatever transaction the
 * caller has open: a record must outlive the roll-back of the work. Work that holds a connection thus needs a second
 * one for a moment; make the pool large enough for that, or give the store a data source of its own. An exhausted pool
 * is reported as {@link StoreUnavailableException}, nothing executed, after the pool's own timeout.
 *
 * <p>The clock is the database's. Records count as absent from the end of their retention; {@link RecordCleaner}
 * deletes them later.
 */
public final class PostgresIdempotencyStore implements IdempotencyStore, SettledRecords {

    /** The default timeout of two seconds: long for a nearby database, short beside a lease. */
    public static final Duration DEFAULT_STATEMENT_TIMEOUT = Duration.ofSeconds(2);

    private static final int MOST_TRIES = 3;

    /** The time after which a duplicate comes again if another transaction has the record. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(1);

    /** The kinds by the numbers in the column {@code grant_kind}. */
    private static final GrantKind[] KINDS = {GrantKind.FRESH, GrantKind.RETRY, GrantKind.TAKEOVER, GrantKind.REENTRANT
    };

    private final StoreConnections database;
    private final Executor threads;
    private final Set<RecordId> held = ConcurrentHashMap.newKeySet();

    /**
     * Creates a store with {@link #DEFAULT_STATEMENT_TIMEOUT} and without threads of its own: it blocks all of its
     * callers. A retry around it then repeats one request after the other; give it threads where many callers share it.
     * The tables must exist, see {@link RecordSchema}.
     */
    public PostgresIdempotencyStore(DataSource dataSource) {
        this(dataSource, DEFAULT_STATEMENT_TIMEOUT, Runnable::run);
    }

    /**
     * Creates a store.
     *
     * @param statementTimeout the longest time for one statement, in whole seconds, rounded up
     * @param threads run the calls of callers that must not block: JDBC blocks a thread for each call
     */
    public PostgresIdempotencyStore(DataSource dataSource, Duration statementTimeout, Executor threads) {
        this.database = new StoreConnections(dataSource, statementTimeout);
        this.threads = threads;
    }

    /** Returns the records that open transactions of this process hold, which an inbox on the table of this store changes. */
    public Set<RecordId> held() {
        return held;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::claim);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::write);
    }

    /** Returns the threads that the store was given. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(threads);
    }

    /**
     * Tries to take the record and looks at it otherwise. A look that would have allowed the grant has met another attempt that has the
     * record for a moment, or work under an inbox that has it until its transaction ends.
     */
    private Claim claim(AcquireRequest request) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Optional<Claim> granted = grant(request);
            Optional<Claim> answer =
                    granted.isPresent() ? granted : read(request.record()).flatMap(row -> row.refusal(request));
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return new Claim.InProgress(UNDER_WAY);
    }

    private Optional<Claim> grant(AcquireRequest request) {
        return database.call("ACQUIRE of " + request.record(), RecordStatements.ACQUIRE, statement -> {
            int unused = Parameters.bind(
                    statement,
                    request.record(),
                    request.fenceFloor(),
                    request.fingerprint(),
                    request.owner(),
                    request.lease(),
                    longer(request.lease(), request.retention()),
                    AdvisoryLock.number(request.record()),
                    request.maxAttempts(),
                    request.maxAttempts());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(granted(request, row)) : Optional.empty();
            }
        });
    }

    private static Claim granted(AcquireRequest request, ResultSet row) throws SQLException {
        Lease lease = new Lease(
                request.record(),
                request.owner(),
                row.getLong("fence"),
                row.getInt("attempts"),
                request.lease(),
                request.retention());
        return new Claim.Granted(lease, KINDS[row.getInt("grant_kind")]);
    }

    private StoreAnswer write(RecordUpdate update) {
        if (update instanceof RecordUpdate.Recall) {
            return recalled(update.lease());
        }
        Lease lease = update.lease();
        // A write to the row would roll back the transaction that holds it, for as long as which the lease lasts.
        boolean spared = update instanceof RecordUpdate.Renew && held.contains(lease.record());
        return spared || settled(update, lease)
                ? new StoreAnswer.Ok(update instanceof RecordUpdate.Complete done ? done.result() : StoredResult.NONE)
                : afterNothing(lease.record(), row -> RecordRules.update(seen(row), update));
    }

    private boolean settled(RecordUpdate update, Lease lease) {
        if (update instanceof RecordUpdate.Renew) {
            Duration kept = longer(lease.duration(), lease.retention());
            return settled(update, RecordStatements.RENEW, lease.duration(), kept);
        }
        if (update instanceof RecordUpdate.Complete complete) {
            StoredResult result = complete.result();
            boolean none = result.equals(StoredResult.NONE);
            return settled(
                    update,
                    RecordStatements.COMPLETE,
                    lease.retention(),
                    none ? null : result.codec(),
                    none ? null : result.content());
        }
        if (update instanceof RecordUpdate.Fail fail) {
            boolean left = fail.leavesTakeover();
            int uncounted = fail.counted() ? 0 : 1;
            return settled(
                    update,
                    RecordStatements.FAIL,
                    left ? 1 : 3,
                    uncounted,
                    left ? 0 : uncounted,
                    left ? null : lease.owner(),
                    fail.delay(),
                    longer(fail.delay(), lease.retention()));
        }
        if (update instanceof RecordUpdate.Remember remember) {
            RememberedStep step = remember.step();
            return settled(update, RecordStatements.REMEMBER, StepColumn.name(step), StepColumn.value(step));
        }
        // The only character that PostgreSQL's text cannot hold.
        String reason = ((RecordUpdate.Reject) update).reason().replace('\0', '\ufffd');
        return settled(update, RecordStatements.REJECT, lease.retention(), reason);
    }

    private boolean settled(RecordUpdate update, String sql, @Nullable Object... first) {
        Lease lease = update.lease();
        RecordId record = lease.record();
        return written(update.name(), record, sql, first, record, lease.owner(), lease.fence());
    }

    private StoreAnswer recalled(Lease lease) {
        Optional<List<RememberedStep>> steps =
                database.call("RECALL of " + lease.record(), RecordStatements.RECALL, statement -> {
                    int unused = Parameters.bind(statement, lease.record(), lease.owner(), lease.fence());
                    try (ResultSet rows = statement.executeQuery()) {
                        return StepColumn.read(lease.record(), rows);
                    }
                });
        return steps.<StoreAnswer>map(found -> new StoreAnswer.Recalled(
                        found.isEmpty() ? RememberedSteps.NONE : new RememberedSteps(lease.fence(), found)))
                .orElseGet(() -> lost(read(lease.record())));
    }

    private boolean written(String name, RecordId record, String sql, @Nullable Object... values) {
        return database.call(name + " of " + record, sql, statement -> {
            int unused = Parameters.bind(statement, values);
            return statement.executeUpdate() == 1;
        });
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        long lock = AdvisoryLock.number(record);
        boolean reopened = written("REOPEN", record, RecordStatements.REOPEN, retention, record, expectedFence, lock);
        return doneOr(reopened, record, row -> {
            long now = row == null ? 0 : TimeUnit.MICROSECONDS.toMillis(row.nowMicros());
            return RecordRules.reopen(seen(row), expectedFence, retention, now);
        });
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        int state = RecordRow.number(end == ForcedEnd.COMPLETED ? RecordState.COMPLETED : RecordState.FAILED);
        boolean forced = written(
                "FORCE",
                record,
                RecordStatements.FORCE,
                state,
                state,
                retention,
                end == ForcedEnd.COMPLETED ? end.result().codec() : null,
                record,
                expectedFence,
                AdvisoryLock.number(record));
        return doneOr(forced, record, row -> RecordRules.force(seen(row), expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        String omitted = StoredResult.OMITTED.codec();
        boolean erased = written("ERASE", record, RecordStatements.ERASE, omitted, record, omitted);
        return doneOr(erased, record, row -> RecordRules.erase(seen(row)));
    }

    private StoreAnswer doneOr(boolean done, RecordId record, Rule rule) {
        return done ? new StoreAnswer.Ok(StoredResult.NONE) : afterNothing(record, rule);
    }

    /**
     * Answers a write that has changed nothing: as its earlier try if that took effect, once synchronous standbys have it; otherwise what
     * the record is now. Another row may be locked, and is not waited for.
     */
    private StoreAnswer afterNothing(RecordId record, Rule rule) {
        StoreAnswer now = answer(read(record), rule);
        return now instanceof StoreAnswer.Ok ? answer(read(record, RecordStatements.READ_REPLICATED), rule) : now;
    }

    /** Returns the answer of a rule to a record; one that would write something has met another transaction. */
    private static StoreAnswer answer(Optional<RecordRow> found, Rule rule) {
        Decision<StoreAnswer> decision = rule.decide(found.orElse(null));
        return decision.next() == null ? decision.answer().apply(0) : lost(found);
    }

    private static @Nullable SeenRecord seen(@Nullable RecordRow row) {
        return row == null ? null : row.seen(List.of());
    }

    private static StoreAnswer lost(Optional<RecordRow> found) {
        return found.map(row -> new StoreAnswer.Lost(row.state(), row.snapshot().result()))
                .orElseGet(() -> new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE));
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return read(record).map(RecordRow::snapshot);
    }

    @Override
    public Optional<Settled> settled(RecordId record) {
        return read(record).filter(RecordRow::settled).map(row -> new Settled(row.snapshot(), row.kept()));
    }

    /** Returns the record with the columns that only this package needs. */
    private Optional<RecordRow> read(RecordId record) {
        return read(record, RecordStatements.READ);
    }

    private Optional<RecordRow> read(RecordId record, String sql) {
        return database.call("SELECT of " + record, sql, statement -> {
            int unused = Parameters.bind(statement, record);
            return rows(statement).stream().findFirst();
        });
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return database.call("SELECT of key " + key.id(), RecordStatements.READ_ALL, statement -> {
            statement.setString(1, key.id());
            return rows(statement).stream().map(RecordRow::snapshot).toList();
        });
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return database.call("SELECT of the steps of " + record, RecordStatements.READ_STEPS, statement -> {
            int unused = Parameters.bind(statement, record);
            try (ResultSet rows = statement.executeQuery()) {
                return StepColumn.read(record, rows).map(StepColumn::remembered).orElse(RememberedSteps.NONE);
            }
        });
    }

    static List<RecordRow> rows(PreparedStatement statement) throws SQLException {
        List<RecordRow> rows = new ArrayList<>();
        try (ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                rows.add(RecordRow.read(found));
            }
        }
        return rows;
    }

    @Override
    public void announce(Scope scope) {
        int unused = database.call("INSERT of scope " + scope, RecordStatements.ANNOUNCE, statement -> {
            statement.setString(1, scope.name());
            return statement.executeUpdate();
        });
    }

    /** Does nothing: the data source belongs to the caller. */
    @Override
    public void close() {}

    /** Decides what a write would make of a record; null for none. */
    @FunctionalInterface
    private interface Rule {
        Decision<StoreAnswer> decide(@Nullable RecordRow found);
    }
}
