package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.AttemptPolicy;
import io.idem.Claim;
import io.idem.CommitUnknownException;
import io.idem.IdempotencyEventListener;
import io.idem.Inbox;
import io.idem.LeaseLostException;
import io.idem.MonotonicClock;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.Work;
import io.idem.internal.OutgoingTransports;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.OutgoingTransport;
import io.idem.spi.ResultPipeline;
import io.idem.spi.Stages;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The one algorithm: acquire, run, confirm what was published, complete. Used alike by the HTTP filter, the listeners and
 * plain code. Thread-safe; blocks its caller. Close it to end its heartbeat; the store is not closed with it.
 */
public final class IdempotentExecutor implements AutoCloseable {

    private final Engine engine;
    private final AttemptLifecycle lifecycle;
    private final OutgoingTransports transports;
    private final FailOpenRuns failOpen;

    private IdempotentExecutor(Builder parts) {
        this.transports = new OutgoingTransports(parts.transports);
        this.engine = Engine.of(parts.knowingStore(), parts.listeners, parts.clock, parts.results, parts.observer);
        this.lifecycle = new AttemptLifecycle(engine, StoreAccess.ofCaller(engine.store()));
        this.failOpen = new FailOpenRuns(engine, new RecentOutage(parts.clock));
    }

    /** Begins an executor whose records are in {@code store}. */
    public static Builder on(IdempotencyStore store) {
        return new Builder(store);
    }

    /**
     * The asynchronous form, with the same store, listeners and heartbeat.
     *
     * @param workers begin the works, and do what takes time on the way; not to be the threads of the store's client
     */
    public AsyncIdempotentExecutor async(Executor workers) {
        return new AsyncIdempotentExecutor(engine, new Workers(workers));
    }

    /**
     * Runs work once for its key and scope, or says why it did not run.
     *
     * <p>An exception of the work ends the attempt as the operation's {@link AttemptPolicy} says and is rethrown unchanged, except {@link LeaseLostException} of this very
     * attempt and {@link CommitUnknownException}, also as a cause: then nothing is settled and the answer is
     * {@link Outcome.InProgress}. Once the work has taken effect nothing is thrown: what stands in the way of recording it is
     * told by {@link Outcome.Unrecorded}.
     *
     * <p>If the store does not answer the acquire and the operation's inbox {@linkplain Inbox#decidesAlone() decides alone},
     * the work runs all the same.
     *
     * @throws StoreUnavailableException if the store, or the inbox's database, did not answer before the work; it did not
     *     run
     * @throws UnreadableRecordException if the record is not one of idem's; the work did not run
     * @throws Exception whatever the work throws
     */
    public <T> Outcome<T> execute(Operation operation, Work<T> work) throws Exception {
        Observed observed = engine.observe(operation);
        try {
            Outcome<T> outcome = execute(operation, observed, work);
            observed.ended(outcome);
            return outcome;
        } catch (Throwable failure) {
            observed.ended(failure);
            throw failure;
        }
    }

    private <T> Outcome<T> execute(Operation operation, Observed observed, Work<T> work) throws Exception {
        AcquireRequest request = lifecycle.request(operation);
        if (failOpen.called(operation)) {
            return run(operation, failOpen.begin(operation, request, observed), work);
        }
        AcquireRequest asked = lifecycle.asking(request);
        long sentAt = engine.clock().nanoTime();
        Claim claim;
        try {
            claim = engine.store().acquire(asked);
        } catch (StoreUnavailableException silent) {
            if (failOpen.allowed(operation)) {
                return runFailOpen(operation, asked, silent, observed, work);
            }
            lifecycle.asked(asked, silent);
            throw silent;
        } catch (Throwable failure) {
            lifecycle.asked(asked, failure);
            throw failure;
        }
        lifecycle.asked(asked, null);
        Admission<T> admission = Stages.join(lifecycle.claimed(operation, observed, sentAt, claim));
        if (operation.inbox() == null) {
            admission = decided(admission);
        }
        if (admission instanceof Admission.Answered<T> answered) {
            return looked(operation, asked, observed, answered.outcome());
        }
        return run(operation, (GrantedOperation) ((Admission.Granted<T>) admission).operation(), work);
    }

    /** The store may still execute the acquire: its owner token is this work's until that has ended, and a grant that nobody uses is given back. */
    private <T> Outcome<T> runFailOpen(
            Operation operation,
            AcquireRequest asked,
            StoreUnavailableException silent,
            Observed observed,
            Work<T> work)
            throws Exception {
        failOpen.storeIsSilent(silent);
        try {
            Outcome<T> outcome = run(operation, failOpen.begin(operation, asked, observed), work);
            boolean withoutEffect = outcome instanceof Outcome.Released || outcome instanceof Outcome.RejectedNow;
            lifecycle.asked(asked, withoutEffect ? silent : null);
            return outcome;
        } catch (Throwable failure) {
            lifecycle.asked(asked, silent);
            throw failure;
        }
    }

    /**
     * Acquires only. For work that ends elsewhere; prefer {@link #execute}. An inbox of the operation is not used.
     *
     * @throws StoreUnavailableException if the store did not answer
     * @throws UnreadableRecordException if the record is not one of idem's
     */
    public <T> Admission<T> begin(Operation operation) {
        Observed observed = engine.observe(operation);
        try {
            Admission<T> admission =
                    decided(acquire(operation, observed, lifecycle.asking(lifecycle.request(operation))));
            observed.ended(admission);
            return admission;
        } catch (RuntimeException failure) {
            observed.ended(failure);
            throw failure;
        }
    }

    /**
     * Ends what {@link #begin} of this executor granted and whose work threw, as the operation's policy says; see {@link #execute}.
     *
     * @return that the attempt is to be deferred, if that is what the failure means
     * @throws Exception the failure, otherwise
     */
    public <T> Outcome<T> fail(RunningOperation operation, Throwable failure) throws Exception {
        return Stages.joinOrThrow(
                Interrupts.defer(() -> lifecycle.withoutEffect((GrantedOperation) operation, failure)));
    }

    private <T> Admission<T> acquire(Operation operation, Observed observed, AcquireRequest request) {
        long sentAt = engine.clock().nanoTime();
        Claim claim = claim(request);
        return Stages.join(lifecycle.claimed(operation, observed, sentAt, claim));
    }

    private Claim claim(AcquireRequest request) {
        try {
            Claim claim = engine.store().acquire(request);
            lifecycle.asked(request, null);
            return claim;
        } catch (Throwable failure) {
            lifecycle.asked(request, failure);
            throw failure;
        }
    }

    private <T> Admission<T> decided(Admission<T> admission) {
        return Stages.join(lifecycle.decided(admission));
    }

    private <T> Outcome<T> run(Operation operation, GrantedOperation granted, Work<T> work) throws Exception {
        try {
            return operation.inbox() == null
                    ? granted.settle(granted.call(work))
                    : inboxRun(granted, operation.inbox(), work);
        } catch (Throwable failure) {
            return Stages.joinOrThrow(Interrupts.defer(() -> lifecycle.withoutEffect(granted, failure)));
        }
    }

    private <T> Outcome<T> inboxRun(GrantedOperation granted, Inbox inbox, Work<T> work) throws Exception {
        return this.<T>inboxRun(granted, inbox).run(work);
    }

    private <T> InboxRun<T> inboxRun(GrantedOperation granted, Inbox inbox) {
        return new InboxRun<>(
                granted, inbox, engine.events(), transports, engine.results(), engine.takeovers(), lifecycle.answers());
    }

    /**
     * The last of the allowed attempts may have committed and died before it could say so; and the record may be of another payload
     * that came when the store had forgotten the key: then the row answers.
     */
    private <T> Outcome<T> looked(Operation operation, AcquireRequest request, Observed observed, Outcome<T> outcome)
            throws Exception {
        Inbox inbox = operation.inbox();
        boolean mismatch = outcome instanceof Outcome.Mismatch;
        if (inbox == null || !(mismatch || outcome instanceof Outcome.Exhausted)) {
            return outcome;
        }
        GrantedOperation inquiry = failOpen.inquire(operation, request, observed);
        try {
            InboxRun<T> row = inboxRun(inquiry, inbox);
            return (mismatch ? row.answerBesideRecord() : row.lookUp()).orElse(outcome);
        } catch (Throwable failure) {
            return Stages.joinOrThrow(Interrupts.defer(() -> lifecycle.withoutEffect(inquiry, failure)));
        }
    }

    /** Ends the heartbeat. Running work loses its lease when its current one ends. */
    @Override
    public void close() {
        engine.close();
    }

    /** Parts of an executor; all but the store have defaults. Not thread-safe. */
    public static final class Builder {

        private final IdempotencyStore store;
        private Supplier<List<OutgoingTransport>> transports = List::of;
        private List<IdempotencyEventListener> listeners = List.of();
        private ResultPipeline results = ResultPipeline.UNCHANGED;
        private ExecutionObserver observer = ExecutionObserver.NONE;
        private Map<Scope, Scope> formerNames = Map.of();
        private MonotonicClock clock = MonotonicClock.SYSTEM;

        private Builder(IdempotencyStore store) {
            this.store = store;
        }

        /** Publishes what inbox rows keep with these transports, which are asked for when the first message is published. */
        public Builder transports(Supplier<List<OutgoingTransport>> source) {
            this.transports = source;
            return this;
        }

        /** Tells these listeners of every claim and every end. */
        public Builder listeners(List<IdempotencyEventListener> told) {
            this.listeners = List.copyOf(told);
            return this;
        }

        /** Keeps results in the form of this pipeline, instead of unchanged. */
        public Builder results(ResultPipeline pipeline) {
            this.results = pipeline;
            return this;
        }

        /** Observes every execution. */
        public Builder observer(ExecutionObserver around) {
            this.observer = around;
            return this;
        }

        /**
         * Looks at the record of a scope's former name before it grants anything under the present one: work that was finished
         * under the former name is not run again. Needed for as long as duplicates of that work may arrive; costs one more read
         * per acquire of a renamed scope. It does not guard against instances that still work under the former name: stop them
         * first.
         *
         * @param formerByPresent the former name by the present one
         */
        public Builder formerNames(Map<Scope, Scope> formerByPresent) {
            this.formerNames = Map.copyOf(formerByPresent);
            return this;
        }

        /** Measures local deadlines with this clock, for tests that let them pass. */
        public Builder clock(MonotonicClock nanos) {
            this.clock = nanos;
            return this;
        }

        /** Builds the executor, which starts the threads of its heartbeat when they are needed. */
        public IdempotentExecutor build() {
            return new IdempotentExecutor(this);
        }

        private IdempotencyStore knowingStore() {
            return formerNames.isEmpty() ? store : new RenamedScopes(store, formerNames);
        }
    }
}
