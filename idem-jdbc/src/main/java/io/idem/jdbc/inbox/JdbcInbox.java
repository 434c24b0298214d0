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
import io.idem.jdbc.inbox.ClaimStatements.LostLeaseInTable;
import io.idem.jdbc.inbox.ClaimStatements.Found;
import io.idem.jdbc.inbox.Claims.Mode;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.SqlFailures;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
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
 * holds no connection. On MySQL it waits for at most a second for a transaction of another process; callers in this process never
 * wait there.
 *
 * <p>After a commit that failed in any way the row is looked for on another connection, by its owner, which tells whether the
 * transaction was committed or rolled back. While that is still open, the look is repeated for up to three seconds.
 */
public final class JdbcInbox implements Inbox {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcInbox.class);
    private static final Duration LONGEST_INQUIRY = Duration.ofSeconds(3);
    private static final Duration INQUIRY_PAUSE = Duration.ofMillis(50);

    private final Claims claims;
    private final IdempotencyStore records;
    private final Optional<InboxStore> store;
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
        OwnTransactions database = new OwnTransactions(dataSource);
        JdbcTemplate joining = new JdbcTemplate(SchemaDataSource.inside(dataSource));
        ClaimStatements statements = new ClaimStatements(joining, database, dialect, relayAfter);
        this.claims = new Claims(
                transactions,
                statements,
                Mode.BESIDE,
                ConcurrentHashMap.newKeySet(),
                new LeasedWork(transactions, statements, ConcurrentHashMap.newKeySet()));
        this.records = InboxStore.records(dataSource, dialect, database);
        this.store = Optional.empty();
        this.chosenByCaller = false;
        this.committed = committed;
    }

    private JdbcInbox(
            Claims claims,
            IdempotencyStore records,
            Optional<InboxStore> store,
            boolean chosenByCaller,
            BiFunction<Lease, Effect, Effect> committed) {
        this.claims = claims;
        this.records = records;
        this.store = store;
        this.chosenByCaller = chosenByCaller;
        this.committed = committed;
    }

    /**
     * Returns a copy that is the store: its claim also refuses work because of failed attempts. Use no other store beside it, see
     * {@link InboxStore}.
     *
     * @param itself the store of the same database
     */
    public JdbcInbox asStore(InboxStore itself) {
        return in(Mode.STORE, itself.held(), Optional.of(itself));
    }

    /**
     * Returns a copy beside the store of the very table: the transaction of the work completes the record itself, under the lease that the
     * store has granted. For a store of another database, or of another table, use this inbox as it is.
     *
     * @param of the store that grants the leases of the work
     */
    public JdbcInbox onRecordsOf(PostgresIdempotencyStore of) {
        return in(Mode.SHARED, of.held(), Optional.empty());
    }

    /** Returns a copy whose data source chooses one of several databases by its caller. Operators do not complete its work. */
    public JdbcInbox chosenByCaller() {
        return new JdbcInbox(claims, records, store, true, committed);
    }

    private JdbcInbox in(Mode mode, Set<RecordId> held, Optional<InboxStore> itself) {
        LeasedWork leased = new LeasedWork(claims.transactions(), claims.statements(), held);
        Claims same = new Claims(claims.transactions(), claims.statements(), mode, claims.openHere(), leased);
        return new JdbcInbox(same, records, itself, chosenByCaller, committed);
    }

    @Override
    public boolean keepsRecords() {
        return claims.mode() != Mode.BESIDE;
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        Claiming claiming = asked(request.record(), () -> claims.claim(request));
        return claiming instanceof Claiming.Mine mine ? run(mine, work) : notMine(claiming);
    }

    Claiming begin(Request request) {
        return asked(request.record(), () -> claims.begin(request));
    }

    /** Returns the answer to a claim that lets no work run. */
    static InboxOutcome notMine(Claiming claiming) {
        if (claiming instanceof Claiming.Failed failed) {
            return new InboxOutcome.Refused(failed.answer());
        }
        if (claiming instanceof Claiming.NotDone) {
            return new InboxOutcome.RolledBack();
        }
        return claiming instanceof Claiming.Done done ? found(done) : new InboxOutcome.Open();
    }

    private static InboxOutcome found(Claiming.Done done) {
        OwnerToken owner = done.row().owner();
        return done.row().again() && owner != null
                ? new InboxOutcome.Again(done.effect(), owner)
                : new InboxOutcome.Found(done.effect());
    }

    private InboxOutcome run(Claiming.Mine mine, InboxWork work) throws Exception {
        InboxTransaction transaction = mine.transaction();
        Optional<Effect> effect = transaction.rollingBackOnFailure(() -> work.run(mine.lease()));
        if (effect.isEmpty()) {
            transaction.rollBack();
            return new InboxOutcome.RolledBack();
        }
        return commit(mine, work, effect.get());
    }

    InboxOutcome commit(Claiming.Mine mine, InboxWork work, Effect effect) {
        InboxOutcome outcome = end(mine, work, effect);
        return outcome instanceof InboxOutcome.Committed done
                ? new InboxOutcome.Committed(committed.apply(mine.lease(), done.effect()))
                : outcome;
    }

    private InboxOutcome end(Claiming.Mine mine, InboxWork work, Effect effect) {
        InboxCommit<Effect> commit = new InboxCommit<>(mine.transaction(), work, () -> {
            Effect last = work.beforeCommit(effect);
            claims.statements().write(mine, last);
            return last;
        });
        try {
            commit.run();
        } catch (LostLeaseInTable lost) {
            return notMine(asked(
                    mine.lease().record(), () -> claims.found(mine.lease().record())));
        } catch (RuntimeException failure) {
            Effect written = commit.written();
            if (written == null) {
                throw failure;
            }
            return commit.committed()
                    ? afterFailedCallback(mine, written, failure)
                    : afterFailedCommit(mine, written, failure);
        }
        return new InboxOutcome.Committed(Objects.requireNonNull(commit.written()));
    }

    private static InboxOutcome afterFailedCallback(Claiming.Mine mine, Effect effect, RuntimeException failure) {
        LOG.warn(
                "A callback after the commit of {} failed; the work has taken effect",
                mine.lease().record(),
                failure);
        return new InboxOutcome.Committed(effect);
    }

    private InboxOutcome afterFailedCommit(Claiming.Mine mine, Effect effect, RuntimeException failure) {
        Claiming claiming = inquire(mine.lease().record(), failure);
        if (claiming instanceof Claiming.Done done) {
            return done.row().isOf(mine.lease().owner()) ? new InboxOutcome.Committed(effect) : found(done);
        }
        if (claiming instanceof Claiming.UnderWay) {
            throw new CommitUnknownException(mine.lease().record(), failure);
        }
        throw failure;
    }

    /** Asks about a commit of unknown outcome until its transaction has ended, for at most three seconds. */
    private Claiming inquire(RecordId record, RuntimeException failure) {
        long start = System.nanoTime();
        try {
            while (System.nanoTime() - start < LONGEST_INQUIRY.toNanos()) {
                Optional<Optional<Found>> ended = claims.statements().unlessOpen(record);
                if (ended.isPresent()) {
                    return ended.get().flatMap(Claims::answer).orElseGet(Claiming.NotDone::new);
                }
                Thread.sleep(INQUIRY_PAUSE.toMillis());
            }
            return new Claiming.UnderWay();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommitUnknownException(record, failure);
        } catch (RuntimeException noAnswer) {
            failure.addSuppressed(noAnswer);
            throw new CommitUnknownException(record, failure);
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
            boolean unused = claims.statements().forgetAgain(record, owner);
        } catch (DataAccessException | TransactionException silent) {
            LOG.warn("The row of {} stays until the next delivery publishes its messages again", record, silent);
        }
    }

    @Override
    public Optional<LastPhase> lastPhase() {
        return Optional.of(new RowPhases(this, claims, records));
    }

    @Override
    public Optional<Failures> failures() {
        return store.map(itself -> itself);
    }

    @Override
    public boolean isChosenByCaller() {
        return chosenByCaller;
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return asked(record, () -> claims.statements().look(record))
                .flatMap(Claims::effect);
    }
}
