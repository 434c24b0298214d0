package io.idem.jdbc.inbox;

import io.idem.Inbox.Beginning;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.Inbox.LastPhase;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RefusedWorkException;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.jdbc.internal.AttemptRow;
import io.idem.jdbc.internal.AttemptRows;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRow;
import io.idem.jdbc.internal.InboxRows;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.SqlFailures;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The steps before the transactions of an inbox, and their transactions. Thread-safe. */
record RowPhases(
        JdbcInbox inbox, RowClaims claims, InboxDialect dialect, OwnTransactions database, AttemptRows attempts)
        implements LastPhase {

    /**
     * Access to the attempts of a database.
     *
     * @param database runs statements apart from the transactions of work
     * @param attempts the statements within those
     */
    record AttemptAccess(InboxDialect dialect, OwnTransactions database, AttemptRows attempts) {

        static AttemptAccess to(DataSource dataSource, InboxDialect dialect, JdbcTemplate joining) {
            return new AttemptAccess(dialect, new OwnTransactions(dataSource), new AttemptRows(joining, dialect));
        }
    }

    @Override
    public void check() {
        answered("The check of the table idem_inbox_attempt", () -> {
            database.rolledBack(jdbc -> AttemptProbe.run(jdbc, dialect));
            return true;
        });
    }

    @Override
    public void requireNoTransaction() {
        if (TransactionSynchronizationManager.isActualTransactionActive()
                || TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new RefusedWorkException("A step begins inside the open transaction "
                    + TransactionSynchronizationManager.getCurrentTransactionName()
                    + ", or a method of propagation SUPPORTS, which would hold a connection while other systems are called; run steps outside of transactions, and write"
                    + " in inTransaction");
        }
    }

    /** Leaves the record to an attempt whose transaction is open, and which may commit. */
    @Override
    public StoreAnswer recall(Lease lease) {
        return answered("The steps of " + lease.record(), () -> {
            try {
                boolean first =
                        database.runAlone(jdbc -> new AttemptRows(jdbc, dialect).insert(lease.record(), lease.fence()));
                return first
                        ? unlessCommitted(lease)
                        : database.runKeeping(jdbc -> recalled(jdbc, lease), StoreAnswer.Recalled.class::isInstance);
            } catch (DataAccessException failure) {
                if (ClaimFailure.of(failure, true) == ClaimFailure.ROW_LOCKED) {
                    return new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
                }
                throw failure;
            }
        });
    }

    /** Looks for committed work after the row of this attempt was made, which waits for a transaction that removes the row. */
    private StoreAnswer unlessCommitted(Lease lease) {
        Optional<StoreAnswer> done = database.runAlone(jdbc -> committed(jdbc, lease.record()));
        if (done.isPresent()) {
            var unused = database.runAlone(jdbc -> new AttemptRows(jdbc, dialect).forget(lease));
        }
        return done.orElseGet(() -> new StoreAnswer.Recalled(RememberedSteps.NONE));
    }

    /** Reads the row of the work after the lock, so that it is seen if its transaction had the lock. */
    private StoreAnswer recalled(JdbcTemplate jdbc, Lease lease) {
        AttemptRows rows = new AttemptRows(jdbc, dialect);
        AttemptRow earlier = rows.lock(lease.record());
        return committed(jdbc, lease.record()).orElseGet(() -> recalled(rows, earlier, lease));
    }

    private static StoreAnswer recalled(AttemptRows rows, AttemptRow row, Lease lease) {
        RecordId record = lease.record();
        if (row.fence() > lease.fence()) {
            return new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
        }
        if (row.fence() < lease.fence()) {
            rows.raise(record, lease.fence());
        }
        boolean own = row.fence() == lease.fence() && row.steps().isEmpty();
        return new StoreAnswer.Recalled(own ? RememberedSteps.NONE : row.remembered());
    }

    private Optional<StoreAnswer> committed(JdbcTemplate jdbc, RecordId record) {
        return new InboxRows(jdbc, dialect)
                .findUnderEitherKey(record)
                .map(InboxRow::effect)
                .map(Effect::result)
                .map(result -> new StoreAnswer.Lost(RecordState.COMPLETED, result));
    }

    @Override
    public StoreAnswer remember(Lease lease, RememberedStep step) {
        return answered(
                "Step " + step.id() + " of " + lease.record(),
                () -> database.runAlone(jdbc -> {
                    boolean kept = new AttemptRows(jdbc, dialect).remember(lease, step);
                    return kept
                            ? new StoreAnswer.Ok(StoredResult.NONE)
                            : committed(jdbc, lease.record())
                                    .orElseGet(() -> new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE));
                }));
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return answered(
                "The steps of " + record,
                () -> database.run(jdbc -> new AttemptRows(jdbc, dialect).find(record))
                        .map(AttemptRow::remembered)
                        .orElse(RememberedSteps.NONE));
    }

    @Override
    public Beginning begin(Request request) {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new RefusedWorkException("inTransaction was called by the work of " + request.record()
                    + " in a method with @Transactional of propagation SUPPORTS or NOT_SUPPORTED, whose end would end the"
                    + " transaction too; call it outside of such methods");
        }
        if (!claims.enter(request.record())) {
            return new Beginning.NotBegun(new InboxOutcome.Open());
        }
        Beginning beginning;
        try {
            beginning = entered(request);
        } catch (Throwable failure) {
            claims.leave(request.record());
            throw failure;
        }
        if (beginning instanceof Beginning.NotBegun) {
            claims.leave(request.record());
        }
        return beginning;
    }

    private Beginning entered(Request request) {
        Claiming claiming = inbox.claim(request);
        if (!(claiming instanceof Claiming.Mine mine)) {
            return new Beginning.NotBegun(JdbcInbox.notMine(claiming));
        }
        InboxTransaction transaction = mine.transaction();
        Optional<List<RememberedStep>> steps = transaction.rollingBackOnFailure(
                () -> answered("The end of the steps of " + request.record(), () -> attempts.forget(request.lease())));
        if (steps.isEmpty()) {
            transaction.rollBack();
            return new Beginning.NotBegun(new InboxOutcome.Open());
        }
        return new OpenRow(request, mine, steps.get());
    }

    private static <T> T answered(String call, Supplier<T> statements) {
        try {
            return statements.get();
        } catch (DataAccessException | TransactionException silent) {
            throw SqlFailures.ofInbox(call, silent, Execution.UNKNOWN, "The call may be repeated");
        }
    }

    /** A transaction in which the row was claimed. */
    private final class OpenRow implements Beginning.Begun {

        private final Request request;
        private final Claiming.Mine mine;
        private final List<RememberedStep> steps;

        /** @param steps of the attempts so far, which the transaction has removed */
        OpenRow(Request request, Claiming.Mine mine, List<RememberedStep> steps) {
            this.request = request;
            this.mine = mine;
            this.steps = steps;
        }

        @Override
        public Lease lease() {
            return mine.lease();
        }

        @Override
        public InboxOutcome commit(InboxWork work, Effect effect) {
            try {
                return inbox.commit(request, mine, work, effect, this::written);
            } finally {
                claims.leave(request.record());
            }
        }

        /** Keeps the steps where another attempt follows. */
        private void written(Effect effect) {
            if (effect.again() && !steps.isEmpty()) {
                attempts.bringBack(request.lease(), steps);
            }
        }

        @Override
        public void rollBack() {
            try {
                mine.transaction().rollBack();
            } finally {
                claims.leave(request.record());
            }
        }
    }
}
