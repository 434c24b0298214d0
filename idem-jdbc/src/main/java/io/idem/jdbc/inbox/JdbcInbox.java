package io.idem.jdbc.inbox;

import io.idem.CommitUnknownException;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxRow;
import io.idem.jdbc.internal.InboxRows;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * An inbox in a PostgreSQL or MariaDB table beside the business data. Thread-safe.
 *
 * <p>All work gets a transaction of its own from the given manager, and every {@code @Transactional} method below it
 * joins that transaction. Anything that would commit apart from the row is refused: running inside a transaction that
 * is already open, and suspending the inbox's transaction ({@code REQUIRES_NEW}, {@code NOT_SUPPORTED}, a transaction
 * of another manager) before it ended. Work must write on the calling thread and through the given data source, else
 * its effects are not covered.
 *
 * <p>While another owner's transaction for the same record is open, {@link #run} waits for it, at most for the duration
 * of the lease; then the outcome is {@link InboxOutcome.Open}. Leases let only one owner of a record wait. An inbox
 * that {@linkplain #decidingAlone decides alone} has no such bound, and every waiting caller holds a connection: it
 * answers at once if a transaction for the record is open in this process, and after a second if one is open in another
 * process.
 *
 * <p>After a commit that failed in any way the database is asked again: a second insert of the same row waits for the
 * first transaction, wherever it hangs, and so tells whether that was committed or rolled back.
 */
public final class JdbcInbox implements Inbox {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcInbox.class);

    /**
     * The number of tries to claim a row, because claims may be cancelled, or chosen to end a deadlock, before the work
     * has run.
     */
    private static final int MOST_CLAIMS = 5;

    /** The longest wait for another process without a lease; statement timeouts count in whole seconds. */
    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

    private final InboxTransactions transactions;
    private final InboxRows rows;
    private final boolean decidesAlone;
    private final Duration retention;
    private final Set<RecordId> openHere = ConcurrentHashMap.newKeySet();

    /**
     * Creates an inbox; the table must exist, see {@link InboxSchema}. Connects, to find out the database.
     *
     * @param dataSource the data source of the business data
     * @param transactionManager a manager of that very data source, for example a {@code JpaTransactionManager}, but
     *     not JTA
     * @throws InboxSchemaException if the database is neither PostgreSQL nor MariaDB
     */
    public JdbcInbox(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this(dataSource, transactionManager, Optional.empty());
    }

    public JdbcInbox(
            DataSource dataSource, PlatformTransactionManager transactionManager, Optional<Duration> relayAfter) {
        this(
                new InboxTransactions(dataSource, transactionManager),
                new InboxRows(dataSource, DatabaseProduct.dialect(dataSource), relayAfter),
                false,
                ChronoUnit.FOREVER.getDuration());
    }

    private JdbcInbox(InboxTransactions transactions, InboxRows rows, boolean decidesAlone, Duration retention) {
        this.transactions = transactions;
        this.rows = rows;
        this.decidesAlone = decidesAlone;
        this.retention = retention;
    }

    /**
     * Returns a copy under which work runs while the store is unreachable (fail open). Rows must then be kept at least
     * as long as the store keeps its records. Rejections and numbers of attempts, which only the store knows, have no
     * effect meanwhile.
     */
    public JdbcInbox decidingAlone() {
        return new JdbcInbox(transactions, rows, true, retention);
    }

    /**
     * Returns a copy with the retention of its {@link InboxCleaner}, so that listeners and routes whose duplicates may
     * come later are refused at start. Without it rows count as kept without limit.
     */
    public JdbcInbox keepingRowsFor(Duration retention) {
        return new JdbcInbox(transactions, rows, decidesAlone, retention);
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        if (!decidesAlone) {
            return claimAndRun(request, request.lease().duration(), work);
        }
        if (!openHere.add(request.record())) {
            return new InboxOutcome.Open();
        }
        try {
            return claimAndRun(request, SHORTEST_WAIT, work);
        } finally {
            openHere.remove(request.record());
        }
    }

    private InboxOutcome claimAndRun(Request request, Duration longestWait, InboxWork work) throws Exception {
        Optional<Claimed> claimed;
        try {
            claimed = asked(request.record(), () -> claim(request, longestWait));
        } catch (CommitUnknownException stillOpen) {
            LOG.debug("Another transaction for {} is still open; nothing was run", request.record(), stillOpen);
            return new InboxOutcome.Open();
        }
        if (claimed.isEmpty()) {
            return new InboxOutcome.Found(
                    asked(request.record(), () -> foundRow(request.record())).effect());
        }
        InboxTransaction transaction = claimed.get().transaction();
        Lease lease = claimed.get().lease();
        Optional<Effect> effect = transaction.rollingBackOnFailure(() -> workAndRecord(lease, work));
        if (effect.isEmpty()) {
            transaction.rollBack();
            return new InboxOutcome.RolledBack();
        }
        return commit(transaction, request, effect.get());
    }

    /**
     * Returns an open transaction that has claimed the row; empty if the row was committed by another one.
     *
     * @throws CommitUnknownException if another transaction that has claimed the row is still open after the longest
     *     wait
     */
    private Optional<Claimed> claim(Request request, Duration longestWait) {
        RecordId record = request.record();
        long start = System.nanoTime();
        for (int again = 1; ; again++) {
            InboxTransaction transaction = transactions.begin(record);
            try {
                Optional<Lease> claimed = transaction.rollingBackOnFailure(() -> rows.claim(request, longestWait));
                if (claimed.isEmpty()) {
                    transaction.rollBack();
                }
                return claimed.map(lease -> new Claimed(transaction, lease));
            } catch (DataAccessException failure) {
                switch (ClaimFailure.of(failure)) {
                    case ROW_COMMITTED -> {
                        return Optional.empty();
                    }
                    case STILL_OPEN -> throw new CommitUnknownException(record, failure);
                    case CANCELLED -> {
                        if (again == MOST_CLAIMS || System.nanoTime() - start >= longestWait.toNanos()) {
                            throw new CommitUnknownException(record, failure);
                        }
                    }
                    case DEADLOCK -> throwAfter(again, failure);
                    default -> throw failure;
                }
            }
        }
    }

    private static void throwAfter(int tries, DataAccessException failure) {
        if (tries == MOST_CLAIMS) {
            throw failure;
        }
    }

    private Optional<Effect> workAndRecord(Lease lease, InboxWork work) throws Exception {
        Optional<Effect> effect = work.run(lease);
        effect.ifPresent(done -> rows.record(lease, done));
        return effect;
    }

    private InboxOutcome commit(InboxTransaction transaction, Request request, Effect effect) {
        try {
            transaction.commit();
            return new InboxOutcome.Committed(effect);
        } catch (RuntimeException failure) {
            return afterFailedCommit(request, effect, failure);
        }
    }

    private InboxOutcome afterFailedCommit(Request request, Effect effect, RuntimeException failure) {
        InboxRow row = ask(request, failure).orElseThrow(() -> failure);
        return row.writtenUnder(request.lease())
                ? new InboxOutcome.Committed(effect)
                : new InboxOutcome.Found(row.effect());
    }

    private Optional<InboxRow> ask(Request request, RuntimeException failure) {
        try {
            return committedRow(request);
        } catch (Exception noAnswer) {
            failure.addSuppressed(noAnswer);
            throw new CommitUnknownException(request.record(), failure);
        }
    }

    /**
     * Returns the committed row. Claims the row once more and rolls back: a claim succeeds only if no transaction has
     * committed the row.
     */
    private Optional<InboxRow> committedRow(Request request) {
        Optional<Claimed> inquiry = claim(request, request.lease().duration());
        inquiry.ifPresent(claimed -> claimed.transaction().rollBack());
        return inquiry.isPresent() ? Optional.empty() : Optional.of(foundRow(request.record()));
    }

    private InboxRow foundRow(RecordId record) {
        return transactions
                .inAny(() -> rows.find(record))
                .orElseThrow(() -> new ConcurrencyFailureException("The inbox row of " + record
                        + " was removed while it was looked at; nothing was run, the next attempt starts afresh"));
    }

    private static <T> T asked(RecordId record, Supplier<T> question) {
        try {
            return question.get();
        } catch (DataAccessException | CannotCreateTransactionException silent) {
            throw new StoreUnavailableException(
                    "The database of the inbox did not answer for " + record + ": " + silent.getMessage()
                            + ". The work was not run and may be tried again",
                    Execution.NOT_EXECUTED,
                    silent);
        }
    }

    @Override
    public boolean decidesAlone() {
        return decidesAlone;
    }

    @Override
    public Duration retention() {
        return retention;
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return asked(record, () -> rows.find(record).map(InboxRow::effect));
    }

    /** An open transaction that has claimed its row. */
    private record Claimed(InboxTransaction transaction, Lease lease) {}
}
