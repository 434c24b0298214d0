package io.idem.jdbc;

import io.idem.spi.CommitUnknownException;
import io.idem.spi.Inbox;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Inbox in a PostgreSQL table beside the business data. Thread-safe.
 *
 * <p>Every piece of work gets a transaction of its own from the given manager, and every {@code @Transactional} method below it
 * joins that transaction. Refused, because it would commit apart from the row: running inside a transaction that is
 * already open, and suspending the inbox's transaction ({@code REQUIRES_NEW}, {@code NOT_SUPPORTED}, a transaction of
 * another manager) before it ended. Work must write on the calling thread and through the given data source, else its
 * effects are not covered.
 *
 * <p>While another owner's transaction for the same record is open, {@link #run} waits for it, at most for the duration of
 * the lease; then the work is deferred with {@link CommitUnknownException}.
 *
 * <p>After a commit that failed in any way the database is asked again: a second insert of the same row waits for the first
 * transaction, wherever it still hangs, and so tells whether it was committed or rolled back.
 */
public final class JdbcInbox implements Inbox {

    private final InboxTransactions transactions;
    private final InboxRows rows;

    /**
     * An inbox; the table must exist, see {@link InboxSchema}.
     *
     * @param dataSource of the business data
     * @param transactionManager of that very data source; a {@code JpaTransactionManager} will do, JTA will not
     */
    public JdbcInbox(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.transactions = new InboxTransactions(dataSource, transactionManager);
        this.rows = new InboxRows(dataSource);
    }

    @Override
    public InboxOutcome run(Lease lease, InboxWork work) throws Exception {
        InboxTransaction transaction = transactions.begin(lease.record());
        if (!claim(transaction, lease)) {
            transaction.rollBack();
            return new InboxOutcome.Found(foundRow(lease.record()).effect());
        }
        Optional<Effect> effect = transaction.rollingBackOnFailure(() -> workAndRecord(lease, work));
        if (effect.isEmpty()) {
            transaction.rollBack();
            return new InboxOutcome.RolledBack();
        }
        return commit(transaction, lease, effect.get());
    }

    private boolean claim(InboxTransaction transaction, Lease lease) throws Exception {
        try {
            return transaction.rollingBackOnFailure(() -> rows.claim(lease));
        } catch (QueryTimeoutException othersTransactionIsOpen) {
            throw new CommitUnknownException(lease.record(), othersTransactionIsOpen);
        }
    }

    private Optional<Effect> workAndRecord(Lease lease, InboxWork work) throws Exception {
        Optional<Effect> effect = work.run();
        effect.ifPresent(done -> rows.record(lease, done));
        return effect;
    }

    private InboxOutcome commit(InboxTransaction transaction, Lease lease, Effect effect) {
        try {
            transaction.commit();
            return new InboxOutcome.Committed(effect);
        } catch (RuntimeException failure) {
            return afterFailedCommit(lease, effect, failure);
        }
    }

    private InboxOutcome afterFailedCommit(Lease lease, Effect effect, RuntimeException failure) {
        InboxRow row = ask(lease, failure).orElseThrow(() -> failure);
        return row.fence() == lease.fence() ? new InboxOutcome.Committed(effect) : new InboxOutcome.Found(row.effect());
    }

    private Optional<InboxRow> ask(Lease lease, RuntimeException failure) {
        try {
            return committedRow(lease);
        } catch (Exception noAnswer) {
            failure.addSuppressed(noAnswer);
            throw new CommitUnknownException(lease.record(), failure);
        }
    }

    /** Claims once more and takes it back: possible only if no transaction has committed the row. */
    private Optional<InboxRow> committedRow(Lease lease) {
        InboxTransaction inquiry = transactions.begin(lease.record());
        boolean rowWasFree = inquiry.rollingBackOnFailure(() -> rows.claim(lease));
        inquiry.rollBack();
        return rowWasFree ? Optional.empty() : Optional.of(foundRow(lease.record()));
    }

    private InboxRow foundRow(RecordId record) {
        return transactions
                .inAny(() -> rows.find(record))
                .orElseThrow(() -> new ConcurrencyFailureException("The inbox row of " + record
                        + " was removed while it was looked at; nothing was run, the next attempt starts afresh"));
    }

    @Override
    public void forget(RecordId record) {
        transactions.inAny(() -> rows.delete(record));
    }
}
