package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.AsyncCall;
import io.idem.AsyncSettling;
import io.idem.AsyncWork;
import io.idem.Claim;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.WorkResult;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The same algorithm as {@link IdempotentExecutor}, for work that ends in a {@link CompletionStage}, and for many operations at
 * once. No thread waits for the store or for confirmations, as long as the store has an asynchronous form; one without is asked
 * on the thread of the caller, or of a worker, and blocks it.
 *
 * <p>Works begin on the workers that {@link IdempotentExecutor#async} was given, and so does everything that may take time on
 * the way: reconcilers, packing results, sending messages again. Users' code never runs on the threads of the store's client,
 * unless the workers refuse it after the work took effect. Stages end with what the blocking form throws, never wrapped. Thread-safe;
 * closed with the executor that it came from.
 */
public final class AsyncIdempotentExecutor {

    private final Engine engine;
    private final StoreAccess access;
    private final AttemptLifecycle lifecycle;
    private final Workers workers;
    private final Workers slow;

    AsyncIdempotentExecutor(Engine engine, Workers workers) {
        this(engine, StoreAccess.of(engine.store(), workers), workers, workers);
    }

    private AsyncIdempotentExecutor(Engine engine, StoreAccess access, Workers workers, Workers slow) {
        this.engine = engine;
        this.access = access;
        this.lifecycle = new AttemptLifecycle(engine, access);
        this.workers = workers;
        this.slow = slow;
    }

    /**
     * For the thread that begins many operations together, waits for all of them, and ends them together: a batch of messages. Ask for
     * one for each batch.
     */
    public OperationBatch batch() {
        CallerRunsExecutor callerRuns = new CallerRunsExecutor(slow);
        StoreAccess together = StoreAccess.ofExecutor(engine.store(), new Workers(callerRuns));
        return new OperationBatch(callerRuns, new AsyncIdempotentExecutor(engine, together, Workers.NONE, slow));
    }

    /**
     * Runs work once for its key and scope, or says why it did not run; see {@link IdempotentExecutor#execute}.
     *
     * @throws IllegalArgumentException if the operation has an inbox: its transaction belongs to one thread
     */
    public <T> CompletionStage<Outcome<T>> execute(Operation operation, AsyncWork<T> work) {
        return executeAll(List.of(new AsyncCall<>(operation, work))).get(0);
    }

    /**
     * Runs many works, each once. All operations are asked for together; each is then run or answered by itself, and what is settled at
     * about the same time is settled together. The stages are in the order of the calls.
     *
     * @throws IllegalArgumentException if an operation has an inbox; then none of them is run
     */
    public <T> List<CompletionStage<Outcome<T>>> executeAll(List<AsyncCall<T>> calls) {
        calls.forEach(call -> requireNoInbox(call.operation()));
        List<CompletionStage<Admission<T>>> admissions =
                beginAll(calls.stream().map(AsyncCall::operation).toList());
        List<CompletionStage<Outcome<T>>> outcomes = new ArrayList<>(calls.size());
        for (AsyncCall<T> call : calls) {
            outcomes.add(following(admissions.get(outcomes.size()), admission -> run(admission, call.work())));
        }
        return outcomes;
    }

    private static void requireNoInbox(Operation operation) {
        if (operation.inbox() != null) {
            throw new IllegalArgumentException(operation
                    + " has an inbox, whose transaction belongs to one thread: run it with IdempotentExecutor, on a thread of your"
                    + " own, or without the inbox");
        }
    }

    private <T> CompletionStage<Outcome<T>> run(Admission<T> admission, AsyncWork<T> work) {
        if (admission instanceof Admission.Answered<T> answered) {
            return CompletableFuture.completedFuture(answered.outcome());
        }
        return run(((Admission.Granted<T>) admission).operation(), work);
    }

    /**
     * Runs work for what {@link #begin} of this executor granted, and settles as {@link #execute} does. Unlike there the work's
     * method is called on the calling thread; what it throws ends the stage.
     */
    public <T> CompletionStage<Outcome<T>> run(RunningOperation operation, AsyncWork<T> work) {
        GrantedOperation granted = (GrantedOperation) operation;
        CompletionStage<Outcome<T>> settled = Stages.compose(onWorkers(granted.start(work)), granted::settling);
        return Stages.compose(
                settled, (outcome, failure) -> failure == null ? settled : lifecycle.withoutEffect(granted, failure));
    }

    /** Acquires only. For work that ends elsewhere; prefer {@link #execute}. An inbox of the operation is not used. */
    public <T> CompletionStage<Admission<T>> begin(Operation operation) {
        return this.<T>beginAll(List.of(operation)).get(0);
    }

    /** Acquires many operations together. The stages are in the order of the operations. */
    public <T> List<CompletionStage<Admission<T>>> beginAll(List<Operation> operations) {
        List<Observed> observed = operations.stream().map(engine::observe).toList();
        List<AcquireRequest> requests = operations.stream()
                .map(lifecycle::request)
                .map(lifecycle::asking)
                .toList();
        long sentAt = engine.clock().nanoTime();
        List<CompletionStage<Claim>> claims =
                Stages.started(requests.size(), () -> access.store().acquire(requests));
        List<CompletionStage<Admission<T>>> admissions = new ArrayList<>(claims.size());
        for (CompletionStage<Claim> claim : claims) {
            Operation operation = operations.get(admissions.size());
            Observed execution = observed.get(admissions.size());
            AcquireRequest asked = requests.get(admissions.size());
            Stages.whenComplete(claim, (given, failure) -> lifecycle.asked(asked, failure));
            admissions.add(execution.begunBy(following(
                    claim,
                    given ->
                            Stages.compose(lifecycle.<T>claimed(operation, execution, sentAt, given), this::decided))));
        }
        return admissions;
    }

    private <T> CompletionStage<Admission<T>> decided(Admission<T> admission) {
        return lifecycle.isDecided(admission)
                ? CompletableFuture.completedFuture(admission)
                : onWorker(slow, () -> lifecycle.decided(admission));
    }

    /** Settles by the work's result what {@link #begin} of this executor granted. */
    public <T> CompletionStage<Outcome<T>> settle(RunningOperation operation, WorkResult<T> result) {
        GrantedOperation granted = (GrantedOperation) operation;
        return onWorker(() -> granted.settling(result));
    }

    /** Settles many operations; those whose messages are confirmed already go to the store together. */
    public <T> List<CompletionStage<Outcome<T>>> settleAll(List<AsyncSettling<T>> settlings) {
        return settlings.stream()
                .map(settling -> settle(settling.operation(), settling.result()))
                .toList();
    }

    /**
     * Ends what {@link #begin} of this executor granted and whose work threw, as the operation's policy says. Fails with that
     * {@code failure}, unless it means that the attempt is to be deferred: see {@link IdempotentExecutor#execute}.
     */
    public <T> CompletionStage<Outcome<T>> fail(RunningOperation operation, Throwable failure) {
        return onWorker(() -> lifecycle.withoutEffect((GrantedOperation) operation, failure));
    }

    /** See {@link RunningOperation#abandon}; ends when that is done, and never fails. */
    public CompletionStage<Boolean> abandon(RunningOperation operation) {
        GrantedOperation granted = (GrantedOperation) operation;
        return Stages.map(granted.abandoning(), written -> {
            granted.attempt().observed().ended(ExecutionEnd.RELEASED, null);
            return written.isPresent();
        });
    }

    /** Tries once more to record an effect, as {@link Outcome.Unrecorded#again} does, without blocking. */
    public <T> CompletionStage<Outcome<T>> again(Outcome.Unrecorded<T> open) {
        return onWorker(() -> RecordAgain.of(open).start());
    }

    /** A stage that is complete before anybody waits for it would have what follows run by the caller. */
    private <A, B> CompletionStage<B> following(CompletionStage<A> stage, Function<A, CompletionStage<B>> then) {
        Thread caller = Thread.currentThread();
        return Stages.compose(
                stage,
                given -> Thread.currentThread() == caller ? onWorker(() -> then.apply(given)) : then.apply(given));
    }

    private <V> CompletionStage<V> onWorker(Supplier<CompletionStage<V>> step) {
        return onWorker(workers, step);
    }

    private static <V> CompletionStage<V> onWorker(Workers some, Supplier<CompletionStage<V>> step) {
        if (some.areNone()) {
            return started(step);
        }
        CompletableFuture<V> handed = new CompletableFuture<>();
        some.execute(() -> Stages.copy(Stages.compose(CompletableFuture.completedFuture(step), Supplier::get), handed));
        return handed;
    }

    private static <V> CompletionStage<V> started(Supplier<CompletionStage<V>> step) {
        try {
            return step.get();
        } catch (Throwable thrown) {
            return Stages.failed(thrown);
        }
    }

    private <V> CompletionStage<V> onWorkers(CompletionStage<V> stage) {
        CompletableFuture<V> handed = new CompletableFuture<>();
        Stages.whenComplete(stage, (value, failure) -> workers.execute(() -> Stages.copy(stage, handed)));
        return handed;
    }
}
