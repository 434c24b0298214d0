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
import io.idem.ResultCodec;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.Work;
import io.idem.internal.OutgoingTransports;
import io.idem.internal.RawResultCodec;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.OutgoingTransport;
import io.idem.spi.ResultPipeline;
import io.idem.spi.Stages;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work once for its key and scope: acquires the record, runs the work, waits for confirmations of the messages it
 * published, and completes the record. Used by the HTTP filters, the listeners and plain code. Thread-safe; blocks its
 * caller. Closing it ends its heartbeat; the store stays open.
 */
public final class IdempotentExecutor implements AutoCloseable {

    private final Engine engine;
    private final Entry entry;
    private final OutgoingTransports transports;
    private final @Nullable Inbox inbox;

    /** The executor of records whose keys have a former form; null in that one. */
    private final @Nullable IdempotentExecutor former;

    private IdempotentExecutor(Builder parts) {
        this(parts, parts.store, new IdempotentExecutor(parts, new FormerRecords(parts.store), null));
    }

    private IdempotentExecutor(Builder parts, IdempotencyStore store, @Nullable IdempotentExecutor former) {
        this.former = former;
        this.transports = new OutgoingTransports(parts.transports);
        this.inbox = parts.inbox;
        this.engine = Engine.of(
                store, parts.listeners, parts.clock, parts.results, parts.codec, parts.observations, parts.logFields);
        this.entry = new Entry(engine, new CallerLane(engine.store()), engine.steps());
    }

    /** Returns a builder of an executor whose records are in {@code store}. */
    public static Builder on(IdempotencyStore store) {
        return new Builder(store);
    }

    /**
     * Returns the asynchronous form, with the same store, listeners and heartbeat.
     *
     * @param workers run the work and the steps that take time; must not be the threads of the store's client
     */
    public AsyncIdempotentExecutor async(Executor workers) {
        return new AsyncIdempotentExecutor(
                engine, new WorkersLane(engine.store(), workers), former == null ? null : former.async(workers));
    }

    /**
     * Runs work once for its key and scope, or returns why it did not run.
     *
     * <p>An exception of the work ends the attempt as the operation's {@link AttemptPolicy} says and is rethrown unchanged. With a
     * {@link io.idem.KeyInProgressException} or a {@link StoreUnavailableException}, also as a cause, the work has not failed: the
     * attempt does not count, and another one may follow at once. If it is
     * a {@link LeaseLostException} of this attempt or a {@link CommitUnknownException}, also as a cause, nothing is recorded and
     * the outcome is {@link Outcome.InProgress} instead. Once the work has taken effect nothing is thrown; an effect that could
     * not be recorded is an {@link Outcome.Unrecorded}.
     *
     * @throws StoreUnavailableException if the store, or the inbox's database, did not answer before the work; it did
     *     not run
     * @throws UnreadableRecordException if the record was not written by idem; the work did not run
     * @throws Exception if the work throws it
     */
    public <T> Outcome<T> execute(Operation wanted, Work<T> work) throws Exception {
        if (former != null && FormerRecords.has(wanted.record())) {
            return former.execute(wanted, work);
        }
        Operation operation = wanted.inbox() == null && inbox != null ? wanted.withInbox(inbox) : wanted;
        Observed observed = engine.observe(operation);
        Outcome<T> outcome;
        try {
            outcome = execute(operation, observed, work);
            observed.ended(outcome);
        } catch (Throwable failure) {
            observed.ended(failure);
            throw failure;
        }
        Optional<Operation> asBefore = Engine.former(operation, outcome);
        return asBefore.isPresent() ? execute(asBefore.get(), work) : outcome;
    }

    /** Returns the inbox of operations that name none; empty if they run without one. */
    public Optional<Inbox> inbox() {
        return Optional.ofNullable(inbox);
    }

    private <T> Outcome<T> execute(Operation operation, Observed observed, Work<T> work) throws Exception {
        AcquireRequest request = entry.request(operation);
        Optional<Inbox.Failures> rows = Optional.ofNullable(operation.inbox()).flatMap(Inbox::failures);
        if (rows.isPresent() && operation.lastPhase() == null) {
            RowStore store = new RowStore(rows.get(), operation.fingerprint());
            return run(entry.ungranted(operation, request, observed, store), work);
        }
        requireInbox(operation);
        Admission<T> admission = acquire(operation, request, observed, rows);
        if (operation.inbox() == null) {
            admission = decided(admission);
        }
        if (admission instanceof Admission.Answered<T> answered) {
            return looked(operation, request, observed, answered.outcome());
        }
        return run((GrantedOperation) ((Admission.Granted<T>) admission).operation(), work);
    }

    private <T> Admission<T> acquire(
            Operation operation, AcquireRequest request, Observed observed, Optional<Inbox.Failures> rows) {
        long sentAt = engine.clock().nanoTime();
        Claim claim;
        try {
            claim = rows.isPresent()
                    ? rows.get().grant(request)
                    : Stages.await(engine.store().acquire(List.of(request)).get(0), request.lease());
        } catch (Throwable failure) {
            engine.givenUp().ended(request, failure);
            throw failure;
        }
        engine.givenUp().ended(request, null);
        return Stages.join(entry.claimed(operation, observed, sentAt, claim));
    }

    /**
     * Asks the inbox before a grant that counts, so that an outage of its database uses up no attempts: the claim of the
     * row comes after the grant.
     *
     * @throws StoreUnavailableException if the database does not answer
     */
    private static void requireInbox(Operation operation) {
        Inbox inbox = operation.inbox();
        if (inbox != null && operation.policy().maxAttempts() > 0) {
            var unused = inbox.find(operation.record());
        }
    }

    /**
     * Acquires an operation whose work ends elsewhere; prefer {@link #execute}. An inbox of the operation is not used.
     *
     * @throws StoreUnavailableException if the store did not answer
     * @throws UnreadableRecordException if the record was not written by idem
     */
    public <T> Admission<T> begin(Operation operation) {
        if (former != null && FormerRecords.has(operation.record())) {
            return former.begin(operation);
        }
        Observed observed = engine.observe(operation);
        Admission<T> admission;
        try {
            admission = decided(acquire(operation, entry.request(operation), observed, Optional.empty()));
            observed.ended(admission);
        } catch (Throwable failure) {
            observed.ended(failure);
            throw failure;
        }
        return Engine.former(operation, admission).map(this::<T>begin).orElse(admission);
    }

    /**
     * Ends an operation that {@link #begin} of this executor granted and whose work threw, as the operation's policy
     * says; see {@link #execute}.
     *
     * @return the outcome, if the failure means that the attempt is to be deferred
     * @throws Exception the failure, otherwise
     */
    public <T> Outcome<T> fail(RunningOperation operation, Throwable failure) throws Exception {
        GrantedOperation granted = (GrantedOperation) operation;
        return granted.settle(granted.ending(failure));
    }

    private <T> Admission<T> decided(Admission<T> admission) {
        return Stages.join(entry.decided(admission));
    }

    private <T> Outcome<T> run(GrantedOperation granted, Work<T> work) throws Exception {
        Inbox box = granted.attempt().operation().inbox();
        Ending<T> ending;
        try {
            ending = box == null
                    ? Ending.of(granted.attempt(), granted.call(work))
                    : this.<T>inboxRun(granted, box).run(work);
        } catch (Throwable failure) {
            ending = granted.ending(failure);
        }
        return granted.settle(ending);
    }

    private <T> InboxRun<T> inboxRun(GrantedOperation granted, Inbox inbox) {
        Inbox.LastPhase lastPhase = granted.attempt().operation().lastPhase();
        if (lastPhase != null) {
            return new LastPhaseRun<>(granted, inbox, lastPhase, engine, transports);
        }
        if (inbox.failures().isPresent()) {
            return new StoreInboxRun<>(granted, inbox, engine, transports);
        }
        return new InboxRun<>(granted, inbox, engine, transports);
    }

    /**
     * Returns the answer of the inbox row where the record cannot give it: the last of the allowed attempts may have
     * committed before it died, and the record may belong to another payload that came when the store had lost the key. If the rows are
     * the records, their messages may not have been sent.
     */
    private <T> Outcome<T> looked(Operation operation, AcquireRequest request, Observed observed, Outcome<T> outcome)
            throws Exception {
        Inbox box = operation.inbox();
        boolean mismatch = outcome instanceof Outcome.Mismatch;
        boolean rowIsRecord = box != null && box.keepsRecords() && outcome instanceof Outcome.Replayed;
        if (box == null || !(mismatch || rowIsRecord || outcome instanceof Outcome.Exhausted)) {
            return outcome;
        }
        GrantedOperation inquiry = entry.ungranted(operation, request, observed, engine.store());
        Optional<Ending<T>> known;
        try {
            InboxRun<T> row = inboxRun(inquiry, box);
            if (rowIsRecord) {
                known = row.answerAgain();
            } else {
                known = mismatch ? row.answerBesideRecord() : row.lookUp();
            }
        } catch (Throwable failure) {
            known = Optional.of(inquiry.ending(failure));
        }
        return known.isPresent() ? inquiry.settle(known.get()) : outcome;
    }

    /** Ends the heartbeat. Running work loses its lease when its current lease expires. */
    @Override
    public void close() {
        engine.close();
        if (former != null) {
            former.close();
        }
    }

    /** Parts of an executor. All but the store have defaults. Not thread-safe. */
    public static final class Builder {

        private final IdempotencyStore store;
        private Supplier<List<OutgoingTransport>> transports = List::of;
        private List<IdempotencyEventListener> listeners = List.of();
        private ResultPipeline results = ResultPipeline.UNCHANGED;
        private ResultCodec codec = new RawResultCodec();
        private ObservationRegistry observations = ObservationRegistry.NOOP;
        private boolean logFields;
        private MonotonicClock clock = MonotonicClock.SYSTEM;
        private @Nullable Inbox inbox;

        private Builder(IdempotencyStore store) {
            this.store = store;
        }

        /**
         * Sets the transports that publish the messages of inbox rows. They are asked for when the first message is
         * published.
         */
        public Builder transports(Supplier<List<OutgoingTransport>> source) {
            this.transports = source;
            return this;
        }

        /** Sets the listeners, which are told of every claim and every end. */
        public Builder listeners(List<IdempotencyEventListener> told) {
            this.listeners = List.copyOf(told);
            return this;
        }

        /** Sets the pipeline that results go through before they are stored. By default they are stored unchanged. */
        public Builder results(ResultPipeline pipeline) {
            this.results = pipeline;
            return this;
        }

        /**
         * Sets the codec of the results of {@linkplain io.idem.step.Step steps}. By default only {@code byte[]} and
         * {@link String} can be remembered.
         */
        public Builder codec(ResultCodec ofSteps) {
            this.codec = ofSteps;
            return this;
        }

        /** Sets the registry that observes every execution. By default none is observed. */
        public Builder observations(ObservationRegistry registry) {
            this.observations = registry;
            return this;
        }

        /**
         * Sets whether every line that is logged while work runs has the key's digest, scope, fence and attempt, as
         * fields of SLF4J's MDC. By default they are not there.
         */
        public Builder logFields(boolean added) {
            this.logFields = added;
            return this;
        }

        /**
         * Sets the inbox of operations that name none. By default those run without one. Needed where the inbox is the
         * store of its records, because nothing else protects work then.
         */
        public Builder inbox(Inbox standard) {
            this.inbox = standard;
            return this;
        }

        /** Sets the clock of local deadlines, for tests. */
        public Builder clock(MonotonicClock nanos) {
            this.clock = nanos;
            return this;
        }

        /** Builds the executor. The threads of its heartbeat start when they are needed. */
        public IdempotentExecutor build() {
            return new IdempotentExecutor(this);
        }
    }
}
