package io.idem.jdbc.inbox;

import io.idem.AcquireRequest;
import io.idem.Inbox.Beginning;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.Inbox.LastPhase;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RefusedWorkException;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.RememberedSteps;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.Claims.Mode;
import io.idem.jdbc.internal.ClaimEnds;
import io.idem.jdbc.internal.SqlFailures;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The steps before the transactions of an inbox, and their transactions. Steps are kept in the record. Thread-safe.
 *
 * @param records writes steps under the lease of their attempt
 */
record RowPhases(JdbcInbox inbox, Claims claims, IdempotencyStore records) implements LastPhase {

    @Override
    public void check() {
        RememberedSteps unused = steps(AcquireRequest.trial(0).record());
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

    /** Beside a store elsewhere, the attempt gets a record here first, in which it remembers its steps. */
    @Override
    public StoreAnswer recall(Lease lease) {
        return answered("The steps of " + lease.record(), () -> {
            if (claims.mode() != Mode.BESIDE) {
                return updated(new RecordUpdate.Recall(lease));
            }
            ClaimEnds ends = new ClaimEnds(claims.statements().dialect(), claims.statements().database());
            return ends.begun(lease)
                    .<StoreAnswer>map(StoreAnswer.Recalled::new)
                    .orElseGet(() -> lost(lease.record()));
        });
    }

    private StoreAnswer lost(RecordId record) {
        return claims.found(record) instanceof Claiming.Done done && done.row().done()
                ? new StoreAnswer.Lost(RecordState.COMPLETED, done.effect().result())
                : new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
    }

    private StoreAnswer updated(RecordUpdate update) {
        return Stages.join(records.update(List.of(update)).get(0));
    }

    @Override
    public StoreAnswer remember(Lease lease, RememberedStep step) {
        return answered(
                "Step " + step.id() + " of " + lease.record(),
                () -> updated(new RecordUpdate.Remember(lease, lease.fence(), step)));
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return answered("The steps of " + record, () -> records.steps(record));
    }

    @Override
    public Beginning begin(Request request) {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new RefusedWorkException("inTransaction was called by the work of " + request.record()
                    + " in a method with @Transactional of propagation SUPPORTS or NOT_SUPPORTED, whose end would end the"
                    + " transaction too; call it outside of such methods");
        }
        Claiming claiming = inbox.begin(request);
        return claiming instanceof Claiming.Mine mine
                ? new OpenRow(mine)
                : new Beginning.NotBegun(JdbcInbox.notMine(claiming));
    }

    private static <T> T answered(String call, Supplier<T> statements) {
        try {
            return statements.get();
        } catch (DataAccessException | TransactionException silent) {
            throw SqlFailures.ofInbox(call, silent, Execution.UNKNOWN, "The call may be repeated");
        }
    }

    /** An open transaction. */
    private final class OpenRow implements Beginning.Begun {

        private final Claiming.Mine mine;

        OpenRow(Claiming.Mine mine) {
            this.mine = mine;
        }

        @Override
        public Lease lease() {
            return mine.lease();
        }

        @Override
        public InboxOutcome commit(InboxWork work, Effect effect) {
            return inbox.commit(mine, work, effect);
        }

        @Override
        public void rollBack() {
            mine.transaction().rollBack();
        }
    }
}
