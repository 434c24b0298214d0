package io.idem.jdbc.inbox;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RefusedWorkException;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.internal.AttemptRow;
import io.idem.jdbc.internal.AttemptRows;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.SqlFailures;
import io.idem.jdbc.internal.StoredRecords;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionUsageException;

/**
 * The store of records that are the rows of an inbox, for applications without another store. Work runs in a
 * {@link JdbcInbox} made with {@link JdbcInbox#asStore}: the claim of its row is the acquire, its commit the completion.
 * The store writes failed attempts, reads rows as records and does the acts of operators. Thread-safe; blocks on one
 * connection for each call, in a transaction of its own.
 *
 * <p>There is no record of work under way, and so no lease, unless the transaction of the work is its
 * {@linkplain io.idem.InboxTransaction#LAST_PHASE last phase}: {@link #inspect} finds such work, and lists leave it out.
 * {@link #acquire} fails, because a grant without a transaction would protect nothing.
 */
public final class InboxStore implements IdempotencyStore, RecordLister, Inbox.Failures {

    private final InboxDialect dialect;
    private final OwnTransactions database;
    private final StoredRecords records;
    private final AttemptLeases leases;

    /**
     * Creates a store; the tables must exist, see {@link InboxSchema}. Connects, to find out the database.
     *
     * @param dataSource a data source of the inbox's database; need not be that of the work's transactions
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public InboxStore(DataSource dataSource) {
        this.dialect = DatabaseProduct.dialect(dataSource);
        this.database = new OwnTransactions(dataSource);
        this.records = new StoredRecords(dialect);
        this.leases = new AttemptLeases(dialect, database);
    }

    /** Fails: work is claimed in its inbox, by {@code IdempotentExecutor.execute}. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.failed(
                requests,
                new IllegalStateException(
                        "The inbox is the store: work runs inside of its transaction, by execute of an"
                                + " IdempotentExecutor with that inbox. It cannot be begun apart from it, as by begin, by"
                                + " asynchronous work or in batches"));
    }

    /** Writes a failure of nobody's, and rolls that back. */
    @Override
    public void check() {
        AcquireRequest trial = AcquireRequest.trial(0);
        Lease lease = new Lease(trial.record(), trial.owner(), 1, 1, trial.lease(), trial.retention());
        Request nobodys = new Request(lease, trial.fingerprint());
        boolean unused =
                answered("CHECK", () -> database.runIf(jdbc -> !records.fail(jdbc, nobodys, Duration.ZERO, false, "")));
    }

    /**
     * Writes failures and rejections, and renews leases of work whose transaction is its last phase. Completions are answered with Ok
     * and write nothing: the committed row is the completed record.
     */
    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::written);
    }

    private StoreAnswer written(RecordUpdate update) {
        Lease lease = update.lease();
        if (update instanceof RecordUpdate.Renew) {
            return answered("RENEW of " + lease.record(), () -> leases.renew(lease));
        }
        if (update instanceof RecordUpdate.Fail fail) {
            return ended(lease, failure(fail.delay(), fail.counted()), fail.leavesTakeover());
        }
        if (update instanceof RecordUpdate.Reject reject) {
            return ended(lease, rejection(reject.reason()), false);
        }
        return new StoreAnswer.Ok(
                update instanceof RecordUpdate.Complete complete ? complete.result() : StoredResult.NONE);
    }

    /** Returns the write of a failed attempt. One that does not count leaves nothing, and is only told of work that has ended. */
    private BiPredicate<JdbcTemplate, Request> failure(Duration delay, boolean counted) {
        return counted
                ? (jdbc, attempt) -> records.fail(jdbc, attempt, delay, false, "")
                : (jdbc, attempt) -> records.of(jdbc, attempt.record())
                        .filter(InboxStore::isSettled)
                        .isEmpty();
    }

    private BiPredicate<JdbcTemplate, Request> rejection(String reason) {
        return (jdbc, attempt) -> records.fail(jdbc, attempt, Duration.ZERO, true, reason);
    }

    /**
     * Ends a failed attempt and its lease, if it had one.
     *
     * @param leavesTakeover whether a lapsed lease of nobody's takes the place of the one that the attempt took over
     */
    private StoreAnswer ended(Lease lease, BiPredicate<JdbcTemplate, Request> failure, boolean leavesTakeover) {
        RecordId record = lease.record();
        return asked("The failure of " + record, jdbc -> {
            AttemptRows attempts = new AttemptRows(jdbc, dialect);
            Optional<AttemptRow> row = attempts.find(record).map(found -> attempts.lock(record));
            if (row.filter(found -> found.fence() > lease.fence()).isPresent()) {
                return new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
            }
            Fingerprint fingerprint = row.map(AttemptRow::fingerprint).orElse(Fingerprint.NONE);
            if (!failure.test(jdbc, new Request(lease, fingerprint))) {
                return lost(jdbc, record);
            }
            if (leavesTakeover) {
                Lease over = new Lease(record, AttemptRows.NOBODY, lease.fence(), 1, Duration.ZERO, Duration.ZERO);
                row.filter(found -> found.isOf(lease.owner()))
                        .ifPresent(found -> attempts.lease(over, found.lapsed() - 1, fingerprint));
            } else {
                attempts.release(lease);
            }
            return ok();
        });
    }

    /** Grants a lease, which {@link #update} renews and ends. */
    @Override
    public Claim grant(AcquireRequest request) {
        return answered("ACQUIRE of " + request.record(), () -> leases.acquire(request));
    }

    /** Returns the thread of the caller. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(Runnable::run);
    }

    @Override
    public StoreAnswer fail(Request attempt, Duration delay, boolean counted) {
        return ended(attempt, failure(delay, counted));
    }

    @Override
    public StoreAnswer reject(Request attempt, String reason) {
        return ended(attempt, rejection(reason));
    }

    private StoreAnswer ended(Request attempt, BiPredicate<JdbcTemplate, Request> failure) {
        return asked(
                "The failure of " + attempt.record(),
                jdbc -> failure.test(jdbc, attempt) ? ok() : lost(jdbc, attempt.record()));
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return asked("REOPEN of " + record, jdbc -> {
            boolean removed = records.remove(jdbc, record, expectedFence);
            boolean reopened = new AttemptRows(jdbc, dialect).reopen(record, expectedFence);
            if (reopened) {
                records.forgive(jdbc, record, expectedFence);
            }
            return removed || reopened ? ok() : lost(jdbc, record);
        });
    }

    /**
     * Ends failed work, or work whose lease has lapsed, in place of its owner. COMPLETED inserts the row of the work, so that
     * no attempt takes effect afterwards; refused while one is under way.
     */
    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        String call = "FORCE of " + record;
        if (end == ForcedEnd.FAILED) {
            return asked(
                    call,
                    jdbc -> failedByLapse(jdbc, record, expectedFence) || records.release(jdbc, record, expectedFence)
                            ? ok()
                            : lost(jdbc, record));
        }
        Optional<RecordSnapshot> found = inspect(record);
        if (found.filter(open -> isFailed(open, expectedFence) || isLeased(open, expectedFence))
                .isEmpty()) {
            return lost(found);
        }
        if (answered(call, () -> database.runIf(jdbc -> completed(jdbc, record, expectedFence)))) {
            return ok();
        }
        Optional<RecordSnapshot> now = inspect(record);
        return now.filter(failed -> isFailed(failed, expectedFence)).isPresent()
                ? new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE)
                : lost(now);
    }

    /** Turns a lease that has lapsed into a failed attempt, which operators may end. */
    private boolean failedByLapse(JdbcTemplate jdbc, RecordId record, long fence) {
        AttemptRows attempts = new AttemptRows(jdbc, dialect);
        Optional<AttemptRow> lapsed = attempts.find(record)
                .filter(row -> row.hasLapsed(fence))
                .map(seen -> attempts.lock(record))
                .filter(row -> row.hasLapsed(fence));
        lapsed.ifPresent(row -> {
            Lease lease = row.lease(record);
            boolean unused = records.fail(jdbc, new Request(lease, row.fingerprint()), Duration.ZERO, false, "");
            attempts.release(lease);
        });
        return lapsed.isPresent();
    }

    /** Completes failed work and removes its steps. The caller rolls back if it returns false. */
    private boolean completed(JdbcTemplate jdbc, RecordId record, long fence) {
        boolean unused = failedByLapse(jdbc, record, fence);
        boolean written = inspected(jdbc, record)
                .filter(found -> isFailed(found, fence))
                .filter(failed -> records.complete(jdbc, record, failed))
                .isPresent();
        if (written) {
            new AttemptRows(jdbc, dialect).remove(record);
        }
        return written;
    }

    private static boolean isSettled(RecordSnapshot found) {
        return found.state() == RecordState.COMPLETED || found.state() == RecordState.REJECTED;
    }

    private static boolean isLeased(RecordSnapshot found, long fence) {
        return found.state() == RecordState.PENDING && found.fence() == fence;
    }

    private static boolean isFailed(RecordSnapshot found, long fence) {
        return found.state() == RecordState.FAILED && found.fence() == fence;
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return asked("ERASE of " + record, jdbc -> {
            if (inspected(jdbc, record).filter(InboxStore::isSettled).isEmpty()) {
                return lost(jdbc, record);
            }
            records.erase(jdbc, record);
            AttemptRows attempts = new AttemptRows(jdbc, dialect);
            attempts.find(record)
                    .map(row -> attempts.lock(record))
                    .ifPresent(row ->
                            attempts.replace(record, row.remembered().erased().steps()));
            return ok();
        });
    }

    private static StoreAnswer ok() {
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    private StoreAnswer lost(JdbcTemplate jdbc, RecordId record) {
        return lost(inspected(jdbc, record));
    }

    private static StoreAnswer lost(Optional<RecordSnapshot> record) {
        return record.<StoreAnswer>map(found -> new StoreAnswer.Lost(found.state(), found.result()))
                .orElseGet(() -> new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE));
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return asked("SELECT of " + record, jdbc -> inspected(jdbc, record));
    }

    /** Reads a record. Work under way has one if its transaction is its last phase. */
    private Optional<RecordSnapshot> inspected(JdbcTemplate jdbc, RecordId record) {
        Optional<RecordSnapshot> ended = records.of(jdbc, record);
        return ended.filter(found -> found.state() == RecordState.COMPLETED)
                .or(() -> new AttemptRows(jdbc, dialect)
                        .find(record)
                        .filter(AttemptRow::isLeased)
                        .map(row -> row.pending(
                                record.scope(),
                                ended.map(RecordSnapshot::attempts).orElse(0))))
                .or(() -> ended);
    }

    /** Reads the records of a key in all scopes that have any, announced or not. */
    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return asked("SELECT of key " + key.id(), jdbc -> records.of(jdbc, key));
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return asked(
                "SELECT of the steps of " + record,
                jdbc -> new AttemptRows(jdbc, dialect)
                        .find(record)
                        .map(AttemptRow::remembered)
                        .orElse(RememberedSteps.NONE));
    }

    /** Does nothing: the rows tell the scopes of a key. */
    @Override
    public void announce(Scope scope) {}

    @Override
    public Page list(String cursor, int most) {
        return asked("SELECT of the records", jdbc -> records.page(jdbc, cursor, most));
    }

    /** Does nothing: the data source belongs to the caller. */
    @Override
    public void close() {}

    private <T> T asked(String call, Function<JdbcTemplate, T> statements) {
        return answered(call, () -> database.run(statements));
    }

    private static <T> T answered(String call, Supplier<T> transaction) {
        try {
            return transaction.get();
        } catch (RefusedWorkException | TransactionUsageException insideWork) {
            throw new RefusedWorkException(
                    call + ": records cannot be asked for inside work of the inbox, whose transaction must not be"
                            + " suspended; ask before or after the work",
                    insideWork);
        } catch (DataAccessException | TransactionException silent) {
            throw SqlFailures.ofInbox(call, silent, Execution.UNKNOWN, "The call may be repeated");
        }
    }
}
