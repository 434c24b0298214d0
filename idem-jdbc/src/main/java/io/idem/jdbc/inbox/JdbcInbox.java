package io.idem.jdbc.inbox;

import io.idem.CommitUnknownException;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RefusedWorkException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.inbox.RowPhases.AttemptAccess;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.FailureRows;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRow;
import io.idem.jdbc.internal.InboxRows;
import io.idem.jdbc.internal.SqlFailures;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionUsageException;

/**
 * An inbox in a PostgreSQL, MariaDB or MySQL table beside the business data. Thread-safe.
 *
 * <p>All work gets a transaction of its own from the given manager, and every {@code @Transactional} method below it
 * joins that transaction. Anything that would commit apart from the row is refused: running inside a transaction that
 * is already open, and suspending the inbox's transaction ({@code REQUIRES_NEW}, {@code NOT_SUPPORTED}, a transaction
 * of another manager) before it ended. Work must write on the calling thread and through the given data source, else
 * its effects are not covered.
 *
 * <p>While another transaction works on the same record, {@link #run} answers {@link InboxOutcome.Open} at once and
 * holds no connection. Only for a transaction of the earlier version, which takes no lock, it waits on PostgreSQL: at
 * most for the duration of the lease. On MySQL it waits for at most a second for a transaction of another process; callers in this process never wait there.
 *
 * <p>After a commit that failed in any way the row is claimed once more on another connection, which tells whether the
 * first transaction was committed or rolled back. While the first transaction is still open, the claim is repeated for up to three seconds.
 */
public final class JdbcInbox implements Inbox {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcInbox.class);

    private final RowClaims claims;
    private final InboxRows rows;
    private final AttemptAccess attempts;
    private final Optional<FailureCounts> failures;
    private final Duration retention;
    private final boolean chosenByCaller;
    private final BiFunction<Lease, Effect, Effect> committed;

    /**
     * Creates an inbox; the table must exist, see {@link InboxSchema}. Connects, to find out the database.
     *
     * @param dataSource the data source of the business data
     * @param transactionManager a manager of that very data source, for example a {@code JpaTransactionManager}, but
     *     not JTA
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public JdbcInbox(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this(dataSource, transactionManager, Optional.empty(), (row, effect) -> effect);
    }

    /**
     * Creates an inbox whose messages a relay may take.
     *
     * @param relayAfter the time after which any relay may take the messages of a row; empty if the caller publishes them
     * @param committed takes over the messages of a row that this thread has committed, by the lease of the row, and
     *     returns the effect with those that are left to the caller; must not throw
     */
    public JdbcInbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            Optional<Duration> relayAfter,
            BiFunction<Lease, Effect, Effect> committed) {
        InboxTransactions transactions = new InboxTransactions(dataSource, transactionManager);
        InboxDialect dialect = DatabaseProduct.dialect(dataSource);
        JdbcTemplate joining = new JdbcTemplate(SchemaDataSource.inside(dataSource));
        this.rows = new InboxRows(joining, dialect, relayAfter);
        this.claims = new RowClaims(transactions, rows, Optional.empty());
        this.attempts = AttemptAccess.to(dataSource, dialect, joining);
        this.failures = Optional.empty();
        this.retention = ChronoUnit.FOREVER.getDuration();
        this.chosenByCaller = false;
        this.committed = committed;
    }

    private JdbcInbox(
            RowClaims claims,
            InboxRows rows,
            AttemptAccess attempts,
            Optional<FailureCounts> failures,
            Duration retention,
            boolean chosenByCaller,
            BiFunction<Lease, Effect, Effect> committed) {
        this.claims = claims;
        this.attempts = attempts;
        this.failures = failures;
        this.rows = rows;
        this.retention = retention;
        this.chosenByCaller = chosenByCaller;
        this.committed = committed;
    }

    /**
     * Returns a copy that is the store: its claim also refuses work because of failed attempts, which the table idem_inbox_failure counts. Use no other store beside it, see {@link InboxStore}.
     *
     * @param store the store of the same database
     */
    public JdbcInbox asStore(InboxStore store) {
        FailureRows counted = rows.failures();
        Optional<FailureCounts> itself = Optional.of(new FailureCounts(counted, store));
        return new JdbcInbox(claims.with(counted), rows, attempts, itself, retention, chosenByCaller, committed);
    }

    /**
     * Returns a copy with the retention of its {@link InboxCleaner}, so that listeners and routes whose duplicates may
     * come later are refused at start. Without it rows count as kept without limit.
     */
    public JdbcInbox keepingRowsFor(Duration retention) {
        return new JdbcInbox(claims, rows, attempts, failures, retention, chosenByCaller, committed);
    }

    /** Returns a copy whose data source chooses one of several databases by its caller. Operators do not complete its work. */
    public JdbcInbox chosenByCaller() {
        return new JdbcInbox(claims, rows, attempts, failures, retention, true, committed);
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        if (!claims.enter(request.record())) {
            return new InboxOutcome.Open();
        }
        try {
            return claimAndRun(request, work);
        } finally {
            claims.leave(request.record());
        }
    }

    private InboxOutcome claimAndRun(Request request, InboxWork work) throws Exception {
        Claiming claiming = claim(request);
        return claiming instanceof Claiming.Mine mine ? run(request, mine, work) : notMine(claiming);
    }

    Claiming claim(Request request) {
        return asked(
                request.record(), () -> claims.claim(request, request.lease().duration()));
    }

    /** Returns the answer to a claim that lets no work run. */
    static InboxOutcome notMine(Claiming claiming) {
        if (claiming instanceof Claiming.Failed failed) {
            return new InboxOutcome.Refused(failed.answer());
        }
        return claiming instanceof Claiming.Done done ? found(done.row()) : new InboxOutcome.Open();
    }

    private static InboxOutcome found(InboxRow row) {
        return row.effect().again()
                ? new InboxOutcome.Again(
                        row.effect(), OwnerToken.ofBytes(HexFormat.of().parseHex(row.owner())))
                : new InboxOutcome.Found(row.effect());
    }

    private InboxOutcome run(Request request, Claiming.Mine mine, InboxWork work) throws Exception {
        InboxTransaction transaction = mine.transaction();
        Optional<Effect> effect = transaction.rollingBackOnFailure(() -> work.run(mine.lease()));
        if (effect.isEmpty()) {
            transaction.rollBack();
            return new InboxOutcome.RolledBack();
        }
        return commit(request, mine, work, effect.get(), written -> {});
    }

    /** @param also gets the effect as it is committed, in the transaction */
    InboxOutcome commit(Request request, Claiming.Mine mine, InboxWork work, Effect effect, Consumer<Effect> also) {
        InboxOutcome outcome = end(request, mine, work, effect, also);
        return outcome instanceof InboxOutcome.Committed done
                ? new InboxOutcome.Committed(committed.apply(mine.lease(), done.effect()))
                : outcome;
    }

    private InboxOutcome end(
            Request request, Claiming.Mine mine, InboxWork work, Effect effect, Consumer<Effect> also) {
        InboxCommit<Effect> commit = new InboxCommit<>(mine.transaction(), work, () -> {
            Effect recorded = recorded(mine.lease(), work.beforeCommit(effect));
            also.accept(recorded);
            return recorded;
        });
        try {
            commit.run();
        } catch (RuntimeException failure) {
            Effect written = commit.written();
            if (written == null) {
                throw failure;
            }
            if (!commit.committed()) {
                return afterFailedCommit(request, written, failure);
            }
            LOG.warn("A callback after the commit of {} failed; the work has taken effect", request.record(), failure);
        }
        return new InboxOutcome.Committed(Objects.requireNonNull(commit.written()));
    }

    private Effect recorded(Lease lease, Effect effect) {
        rows.record(lease, effect);
        failures.filter(counted -> lease.attempt() > 1 && !effect.again())
                .ifPresent(counted -> counted.rows().forgive(lease.record()));
        return effect;
    }

    private InboxOutcome afterFailedCommit(Request request, Effect effect, RuntimeException failure) {
        Claiming claiming = inquire(request, failure);
        if (claiming instanceof Claiming.Done done) {
            return done.row().writtenUnder(request.lease()) ? new InboxOutcome.Committed(effect) : found(done.row());
        }
        if (claiming instanceof Claiming.UnderWay) {
            throw new CommitUnknownException(request.record(), failure);
        }
        throw failure;
    }

    /** Claims the row once more and rolls back: a claim succeeds only if no transaction has committed the row. */
    private Claiming inquire(Request request, RuntimeException failure) {
        try {
            Claiming claiming = claims.inquire(request);
            if (claiming instanceof Claiming.Mine mine) {
                mine.transaction().rollBack();
            }
            return claiming;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommitUnknownException(request.record(), failure);
        } catch (RuntimeException noAnswer) {
            failure.addSuppressed(noAnswer);
            throw new CommitUnknownException(request.record(), failure);
        }
    }

    private static <T> T asked(RecordId record, Supplier<T> question) {
        try {
            return question.get();
        } catch (RefusedWorkException | TransactionUsageException wrongCall) {
            throw wrongCall;
        } catch (RuntimeException silent) {
            // Hibernate throws an exception of its own if it gets no connection.
            throw SqlFailures.ofInbox(
                    "CLAIM of " + record,
                    silent,
                    Execution.NOT_EXECUTED,
                    "The work was not run and may be tried again");
        }
    }

    @Override
    public void remove(RecordId record, OwnerToken owner) {
        try {
            var unused =
                    attempts.database().runAlone(jdbc -> new InboxRows(jdbc, attempts.dialect()).remove(record, owner));
        } catch (DataAccessException | TransactionException silent) {
            LOG.warn("The row of {} stays until the next delivery publishes its messages again", record, silent);
        }
    }

    @Override
    public Optional<LastPhase> lastPhase() {
        return Optional.of(new RowPhases(this, claims, attempts.dialect(), attempts.database(), attempts.attempts()));
    }

    @Override
    public Optional<Failures> failures() {
        return failures.map(FailureCounts::store);
    }

    @Override
    public Duration retention() {
        return retention;
    }

    @Override
    public boolean isChosenByCaller() {
        return chosenByCaller;
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return asked(record, () -> rows.findUnderEitherKey(record).map(InboxRow::effect));
    }

    /**
     * The failed attempts of an inbox that is the store.
     *
     * @param rows the statements in the transaction of the work
     * @param store writes failures in transactions of its own
     */
    private record FailureCounts(FailureRows rows, Failures store) {}
}
