package io.idem.engine;

import io.idem.AttemptPolicy;
import io.idem.Claim;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.Operation;
import io.idem.Publications;
import io.idem.RefusedWorkException;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.TakeoverPolicy;
import io.idem.step.LocalWork;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepWork;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A granted attempt: its context for the work, and its lease for the updates that end it. */
final class Attempt implements IdempotencyContext {

    /** The fence of a lease that no store granted. */
    static final long NOT_GRANTED = 0;

    private final Operation operation;
    private final Lease lease;
    private final boolean takeover;
    private final LeaseWatch watch;
    private final Publications publications;
    private final ConfirmationBarrier barrier;
    private final Observed observed;
    private final AttemptSteps steps;
    private final boolean first;
    private final EventSource events;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile @Nullable LocalPhase localPhase;
    private volatile boolean undecided;
    private volatile boolean withoutResult;
    private volatile boolean recorded;
    private volatile @Nullable Lease row;

    Attempt(Operation operation, Claim.Granted granted, LeaseWatch watch, Observed observed, StepRunner runner) {
        this.operation = operation;
        this.lease = granted.lease();
        this.takeover = granted.isTakeover();
        this.watch = watch;
        this.observed = observed;
        this.publications = new Publications(operation, lease.record().key());
        this.barrier = new ConfirmationBarrier(publications);
        this.events = runner.events();
        this.first = granted.kind() == Claim.GrantKind.FRESH;
        this.steps = new AttemptSteps(
                this,
                first,
                Optional.ofNullable(operation.lastPhase()).map(runner::in).orElse(runner));
        this.undecided = takeover && !(operation.policy().attempts().takeover() instanceof TakeoverPolicy.Rerun);
    }

    Operation operation() {
        return operation;
    }

    AttemptSteps steps() {
        return steps;
    }

    /** Returns whether an operator has reopened the record and no attempt followed before this one. */
    boolean isFirstAfterReopening() {
        return lease.attempt() == 1 && !first;
    }

    /** Notes that the work begins whose transaction is its last phase. */
    void begins(LocalPhase phase) {
        localPhase = phase;
    }

    /** Returns the last phase of the work that runs; null if it has none. */
    @Nullable LocalPhase localPhase() {
        return localPhase;
    }

    /** Returns the lease that the store granted; without one, that of the claimed inbox row. */
    Lease lease() {
        Lease claimed = row;
        return claimed != null && lease.fence() == NOT_GRANTED ? claimed : lease;
    }

    /** Returns whether a store has granted the lease or the inbox row was claimed. */
    boolean owns() {
        return row != null || lease.fence() != NOT_GRANTED;
    }

    /** Notes that the row of the inbox was committed. */
    void committed() {
        Inbox inbox = operation.inbox();
        recorded = inbox != null && inbox.keepsRecords() && !FormerRecords.has(lease.record());
    }

    /** Returns whether the record says that the work took effect, because it is the row that was committed. */
    boolean isRecorded() {
        return recorded;
    }

    ConfirmationBarrier barrier() {
        return barrier;
    }

    Observed observed() {
        return observed;
    }

    /** Handles the answer to a renewal that was sent at {@code sentAt}. */
    void renewed(StoreAnswer answer, long sentAt) {
        if (answer instanceof StoreAnswer.Ok) {
            watch.renewed(sentAt);
        } else if (answer instanceof StoreAnswer.Lost) {
            watch.lost();
        }
    }

    /** Notes whether the transaction of an inbox is open. Where the inbox is the store, its lock takes the place of the lease. */
    void holdsRow(boolean open) {
        Inbox inbox = operation.inbox();
        watch.held(open && inbox != null && inbox.failures().isPresent());
    }

    /** Notes that another owner has the record. */
    void lost() {
        watch.lost();
    }

    AttemptPolicy policy() {
        return operation.policy().attempts();
    }

    /**
     * Returns whether the outcome of an earlier attempt is unknown and it is not decided what follows. Until then the
     * key must not be released: the next grant would look like a retry after a known failure, and run.
     */
    boolean undecided() {
        return undecided;
    }

    void decided() {
        undecided = false;
    }

    /** Returns whether the work said that its answer is no result. */
    boolean withoutResult() {
        return withoutResult;
    }

    /** Notes that the work is over, so that it is not told of a lost lease any more. */
    void workEnded() {
        steps.close();
        watch.end();
    }

    /** Notes that the work is over and that its end is being recorded. */
    void settling() {
        workEnded();
        observed.settling();
    }

    /** Returns whether messages of the work may not be confirmed yet. */
    boolean hasUnconfirmed() {
        return barrier.isOpen();
    }

    @Override
    public IdempotencyKey key() {
        return lease.record().key();
    }

    @Override
    public Scope scope() {
        return lease.record().scope();
    }

    @Override
    public String root() {
        return operation.root();
    }

    /** Notes that the inbox row was claimed, with the fence that the work sees. */
    void claimed(Lease claimed) {
        row = claimed;
    }

    /** Returns whether the work is to run in an inbox that has not claimed its row. */
    boolean awaitsItsRow() {
        return operation.inbox() != null && row == null && localPhase == null;
    }

    @Override
    public void answerIsNoResult() {
        if (!operation.transport().equals(Operation.HTTP)) {
            throw new IllegalStateException(
                    record() + " is not the work of an HTTP request, so it has no answer that could be"
                            + " no result; throw an exception");
        }
        withoutResult = true;
    }

    @Override
    public long fence() {
        Lease claimed = row;
        return claimed == null ? lease.fence() : claimed.fence();
    }

    /** Returns the greatest fence that the work has seen. That of a claimed row is known only if the work has asked for it. */
    long seenFence() {
        Lease claimed = row;
        return Math.max(lease.knownFence(), claimed == null ? 0 : claimed.knownFence());
    }

    @Override
    public int attempt() {
        return lease().attempt();
    }

    @Override
    public boolean takeover() {
        return takeover;
    }

    @Override
    public boolean stillOwner() {
        return !watch.passed();
    }

    @Override
    public void requireOwner() {
        if (watch.passed()) {
            throw new LeaseLostException(lease());
        }
    }

    @Override
    public void onLeaseLost(Runnable action) {
        watch.onLost(action);
    }

    @Override
    public <T, X extends Exception> T step(Step<T> step, StepWork<T, X> work) throws X {
        return steps.run(step, work);
    }

    @Override
    public <T> CompletionStage<T> stepAsync(Step<T> step, Function<StepContext, CompletionStage<T>> work) {
        return steps.start(step, work);
    }

    @Override
    public <T, X extends Exception> T inTransaction(LocalWork<T, X> work) throws X {
        LocalPhase phase = localPhase;
        if (phase == null) {
            throw new RefusedWorkException("The work of " + scope()
                    + (operation.inbox() == null
                            ? " has no inbox"
                            : " runs in the transaction of its inbox from its beginning")
                    + "; inTransaction is for work with an inbox and transaction = LAST_PHASE");
        }
        return phase.run(work);
    }

    @Override
    public Binding bind() {
        Binding entered = enter();
        Binding bound = IdempotencyContext.super.bind();
        return () -> {
            bound.close();
            entered.close();
        };
    }

    /** Begins a part of the work, or of one of its steps, on the calling thread. */
    Binding enter() {
        if (begun.compareAndSet(false, true)) {
            events.publish(new IdempotencyEvent.WorkBegun(lease()));
        }
        return observed.enter();
    }

    @Override
    public Publications publications() {
        return publications;
    }
}
