package io.idem.engine;

import io.idem.Claim;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.LastPhase;
import io.idem.Lease;
import io.idem.Publications;
import io.idem.Reconciliation;
import io.idem.StoreUnavailableException;
import io.idem.Work;
import io.idem.internal.OutgoingTransports;
import io.idem.spi.ExecutionEnd;
import java.util.Optional;

/** Runs work outside of a transaction until its last phase. The messages of all of the work are kept in its row. */
final class LastPhaseRun<T> extends InboxRun<T> {

    private final Attempt attempt;
    private final LastPhase phases;

    LastPhaseRun(
            GrantedOperation operation, Inbox inbox, LastPhase phases, Engine engine, OutgoingTransports transports) {
        super(operation, inbox, engine, transports);
        this.attempt = operation.attempt();
        this.phases = phases;
    }

    /**
     * Decides about an earlier attempt first, in a transaction of its own that looks at the row, which may also be that
     * of an attempt after which the work runs again.
     */
    @Override
    InboxOutcome runKeeping(Work<T> work) throws Exception {
        if (attempt.undecided() || attempt.attempt() > 1) {
            InboxOutcome decided = super.runKeeping(work);
            if (!(decided instanceof InboxOutcome.RolledBack && decision() instanceof Reconciliation.NotDone)) {
                return decided;
            }
        }
        Publications publications = attempt.publications();
        publications.keeping(true);
        try {
            return runAndCommit(work);
        } finally {
            publications.keeping(false);
        }
    }

    /** Returns nothing to commit: the work runs when the transaction that has decided is rolled back. */
    @Override
    Optional<Effect> claimedAndRun(Work<T> work) {
        return Optional.empty();
    }

    @Override
    Ending<T> refused(Claim claim) {
        return Ending.answered(engine.answer(attempt.operation(), claim), ExecutionEnd.LEFT);
    }

    /** Leaves the fence of a granted lease, under which the steps are remembered. */
    @Override
    void claimed(Lease row) {}

    private InboxOutcome runAndCommit(Work<T> work) throws Exception {
        LocalPhase phase = new LocalPhase(attempt, phases, request());
        attempt.begins(phase);
        try {
            Optional<Effect> effect = call(work);
            if (phase.answer().isPresent()) {
                return phase.answer().get();
            }
            if (effect.isPresent()) {
                return phase.commit(new KeepingWork(work), effect.get());
            }
            phase.rollBack();
            return new InboxOutcome.RolledBack();
        } catch (Throwable failure) {
            phase.rollBack();
            Optional<InboxOutcome> known = phase.answer().or(() -> rowAfter(failure));
            if (known.isPresent()) {
                return known.get();
            }
            throw failure;
        }
    }

    /** Returns the row that another attempt has committed, if this one has lost its lease. */
    private Optional<InboxOutcome> rowAfter(Throwable failure) {
        if (attempt.stillOwner()) {
            return Optional.empty();
        }
        try {
            return inbox.find(attempt.lease().record())
                    .filter(row -> !row.again())
                    .map(InboxOutcome.Found::new);
        } catch (StoreUnavailableException silent) {
            failure.addSuppressed(silent);
            return Optional.empty();
        }
    }
}
