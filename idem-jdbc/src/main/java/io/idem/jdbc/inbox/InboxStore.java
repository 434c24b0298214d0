package io.idem.jdbc.inbox;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Request;
import io.idem.Inbox;
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
import io.idem.jdbc.internal.ClaimEnds;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.LockedRecords;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.RecordPages;
import io.idem.jdbc.internal.RecordRow;
import io.idem.jdbc.internal.SqlFailures;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The store of records that are the rows of an inbox, for applications without another store. Work runs in a
 * {@link JdbcInbox} made with {@link JdbcInbox#asStore}: the claim of its row is the acquire, its commit the completion.
 * The store writes failed attempts, reads rows as records and does the acts of operators. Thread-safe; blocks on one
 * connection for each call, in a transaction of its own.
 *
 * <p>There is no record of work under way, and so no lease, unless the transaction of the work is its
 * {@linkplain io.idem.InboxTransaction#LAST_PHASE last phase}. {@link #acquire} fails, because a grant without a transaction would
 * protect nothing.
 */
public final class InboxStore implements IdempotencyStore, RecordLister, Inbox.Failures {

    private static final Logger LOG = LoggerFactory.getLogger(InboxStore.class);

    /**
     * The longest time for which a failure is written again that another attempt keeps from being counted: as long as a delivery waits in
     * place for another attempt.
     */
    private static final Duration LONGEST_REPEATS = Duration.ofSeconds(10);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final ClaimEnds ends;
    private final IdempotencyStore records;
    private final RecordPages pages;
    private final Duration longestRepeats;
    private final Set<RecordId> held = ConcurrentHashMap.newKeySet();

    /**
     * Creates a store; the table must exist, see {@link InboxSchema}. Connects, to find out the database.
     *
     * @param dataSource a data source of the inbox's database; need not be that of the work's transactions
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public InboxStore(DataSource dataSource) {
        this(dataSource, LONGEST_REPEATS);
    }

    /** @param longestRepeats the time for which a failure is written again that another attempt keeps from being counted */
    InboxStore(DataSource dataSource, Duration longestRepeats) {
        InboxDialect dialect = DatabaseProduct.dialect(dataSource);
        OwnTransactions database = new OwnTransactions(dataSource);
        this.ends = new ClaimEnds(dialect, database);
        this.records = records(dataSource, dialect, database);
        this.pages = new RecordPages(dialect, database);
        this.longestRepeats = longestRepeats;
    }

    /** Returns the records of a table. */
    static IdempotencyStore records(DataSource dataSource, InboxDialect dialect, OwnTransactions database) {
        return dialect.claimLocks() ? new PostgresIdempotencyStore(dataSource) : new LockedRecords(dialect, database);
    }

    /** Returns the records that open transactions of this process hold. Their leases are not renewed. */
    Set<RecordId> held() {
        return held;
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
        boolean unused = answered("CHECK", () -> ends.tried(new Request(lease, trial.fingerprint())));
    }

    /**
     * Writes failures and rejections, and renews leases, of work whose transaction is its last phase. Completions are answered with Ok
     * and write nothing: the committed row is the completed record.
     */
    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::written);
    }

    private StoreAnswer written(RecordUpdate update) {
        if (update instanceof RecordUpdate.Renew && held.contains(update.lease().record())) {
            return ok();
        }
        return update instanceof RecordUpdate.Complete complete
                ? new StoreAnswer.Ok(complete.result())
                : answered(
                        update.name() + " of " + update.lease().record(),
                        () -> Stages.join(records.update(List.of(update)).get(0)));
    }

    /** Grants a lease, which {@link #update} renews and ends. */
    @Override
    public Claim grant(AcquireRequest request) {
        return answered(
                "ACQUIRE of " + request.record(),
                () -> Stages.join(records.acquire(List.of(request)).get(0)));
    }

    /** Returns the thread of the caller. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(Runnable::run);
    }

    /** Writes nothing for an attempt that does not count, but tells of work that has ended. */
    @Override
    public StoreAnswer fail(Request attempt, Duration delay, boolean counted) {
        return counted
                ? ended(attempt, RecordState.FAILED, delay, "")
                : inspect(attempt.record())
                        .filter(InboxStore::isSettled)
                        .map(InboxStore::lost)
                        .orElseGet(InboxStore::ok);
    }

    @Override
    public StoreAnswer reject(Request attempt, String reason) {
        return ended(attempt, RecordState.REJECTED, Duration.ZERO, reason);
    }

    /** Writes the end of an attempt, again and again while another one has the record. */
    private StoreAnswer ended(Request attempt, RecordState state, Duration delay, String reason) {
        RecordId record = attempt.record();
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (!answered("The failure of " + record, () -> ends.failed(attempt, state, delay, reason))) {
            Optional<RecordSnapshot> now = inspect(record);
            if (now.filter(InboxStore::isSettled).isPresent()) {
                return lost(now.get());
            }
            if (System.nanoTime() - start > longestRepeats.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                LOG.warn(
                        "A failed attempt of {} is not counted, because another one is under way: its limit of attempts may be exceeded"
                                + " by one",
                        record);
                return new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
            }
            LockSupport.parkNanos(pause.toNanos());
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        return ok();
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return answered("REOPEN of " + record, () -> records.reopen(record, expectedFence, retention));
    }

    /**
     * Ends failed work, or work whose lease has lapsed, in place of its owner, so that no attempt takes effect afterwards; refused while
     * one is under way.
     */
    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        Optional<RecordRow> found = answered("SELECT of " + record, () -> pages.find(record));
        if (found.filter(RecordRow::underWay).isPresent()) {
            return new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
        }
        StoreAnswer answer = answered("FORCE of " + record, () -> records.force(record, expectedFence, end, retention));
        boolean stillOpen = answer instanceof StoreAnswer.Lost lost
                && lost.state() == RecordState.FAILED
                && found.filter(open -> open.fence() == expectedFence).isPresent();
        return stillOpen ? new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE) : answer;
    }

    private static boolean isSettled(RecordSnapshot found) {
        return found.state() == RecordState.COMPLETED || found.state() == RecordState.REJECTED;
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return answered("ERASE of " + record, () -> records.erase(record));
    }

    private static StoreAnswer ok() {
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    private static StoreAnswer lost(RecordSnapshot found) {
        return new StoreAnswer.Lost(found.state(), found.result());
    }

    /** Reads a record. Work under way has one if its transaction is its last phase. */
    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return answered("SELECT of " + record, () -> records.inspect(record));
    }

    /** Reads the records of a key in all scopes that have any, announced or not. */
    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return answered("SELECT of key " + key.id(), () -> pages.of(key)).stream()
                .map(RecordRow::snapshot)
                .toList();
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return answered("SELECT of the steps of " + record, () -> records.steps(record));
    }

    /** Does nothing: the rows tell the scopes of a key. */
    @Override
    public void announce(Scope scope) {}

    @Override
    public Page list(String cursor, int most) {
        return answered("SELECT of the records", () -> pages.page(cursor, most));
    }

    /** Does nothing: the data source belongs to the caller. */
    @Override
    public void close() {}

    private static <T> T answered(String call, Supplier<T> statements) {
        if (InboxTransactions.isInsideWork()) {
            throw new RefusedWorkException(
                    call + ": records cannot be asked for inside work of the inbox, which would need a second connection; ask"
                            + " before or after the work");
        }
        try {
            return statements.get();
        } catch (DataAccessException | TransactionException silent) {
            throw SqlFailures.ofInbox(call, silent, Execution.UNKNOWN, "The call may be repeated");
        }
    }
}
