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
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous form of {@link IdempotentExecutor}, for work that ends in a {@link CompletionStage} and for many
 * operations at once. No thread waits for confirmations, nor for a store that does not block; a store that blocks is
 * called on its own threads.
 *
 * <p>Work begins on the workers that were given to {@link IdempotentExecutor#async}. Everything else that may take time
 * runs there too: reconcilers, packing of results, sending messages again. Code of users never runs on the threads of
 * the store's client, unless the workers refuse it after the work took effect. Stages fail with the exceptions of the
 * blocking form, unwrapped. Thread-safe; closed with the executor that it came from.
 */
public final class AsyncIdempotentExecutor {

    private final Engine engine;
    private final Lane lane;
    private final WorkersLane slow;
    private final Entry entry;
    private final @Nullable AsyncIdempotentExecutor former;

    /** @param former the executor of records whose keys have a former form; null in that one */
    AsyncIdempotentExecutor(Engine engine, WorkersLane workers, @Nullable AsyncIdempotentExecutor former) {
        this(engine, workers, workers, former);
    }

    private AsyncIdempotentExecutor(
            Engine engine, Lane lane, WorkersLane slow, @Nullable AsyncIdempotentExecutor former) {
        this.engine = engine;
        this.lane = lane;
        this.slow = slow;
        this.entry = new Entry(engine, lane, engine.steps().on(slow));
        this.former = former;
    }

    /**
     * Returns a batch, for a thread that begins many operations together, waits for all of them and ends them together.
     * Each batch of messages needs one of its own.
     */
    public OperationBatch batch() {
        CallerRunsExecutor callerRuns = new CallerRunsExecutor(slow);
        return new OperationBatch(callerRuns, together(callerRuns));
    }

    private AsyncIdempotentExecutor together(CallerRunsExecutor callerRuns) {
        return new AsyncIdempotentExecutor(
                engine,
                new BatchLane(engine.store(), callerRuns),
                slow,
                former == null ? null : former.together(callerRuns));
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
     * Runs many pieces of work, each once. All operations are acquired together; each is then run or answered by
     * itself, and updates that come at about the same time are written together. The stages are in the order of the
     * calls.
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
     * Runs work for an operation that {@link #begin} of this executor granted, and records its end as {@link #execute}
     * does. Unlike there, the work is called on the calling thread; an exception of that call ends the stage.
     */
    public <T> CompletionStage<Outcome<T>> run(RunningOperation operation, AsyncWork<T> work) {
        GrantedOperation granted = (GrantedOperation) operation;
        CompletionStage<Ending<T>> ending = Stages.handle(
                lane.continued(granted.start(work)),
                result -> Ending.of(granted.attempt(), result),
                granted::<T>ending);
        return Stages.compose(ending, granted::settling);
    }

    /**
     * Acquires an operation whose work ends elsewhere; prefer {@link #execute}. An inbox of the operation is not used.
     */
    public <T> CompletionStage<Admission<T>> begin(Operation operation) {
        return this.<T>beginAll(List.of(operation)).get(0);
    }

    /** Acquires many operations together. The stages are in the order of the operations. */
    public <T> List<CompletionStage<Admission<T>>> beginAll(List<Operation> operations) {
        if (former != null && operations.stream().map(Operation::record).anyMatch(FormerRecords::has)) {
            return former.beginAll(operations);
        }
        List<Observed> observed = operations.stream().map(engine::observe).toList();
        List<AcquireRequest> requests = operations.stream().map(entry::request).toList();
        long sentAt = engine.clock().nanoTime();
        List<CompletionStage<Claim>> claims = Stages.started(requests.size(), () -> lane.acquire(requests));
        List<CompletionStage<Admission<T>>> admissions = new ArrayList<>(claims.size());
        for (CompletionStage<Claim> claim : claims) {
            Operation operation = operations.get(admissions.size());
            Observed execution = observed.get(admissions.size());
            AcquireRequest asked = requests.get(admissions.size());
            Stages.whenComplete(claim, (given, failure) -> engine.givenUp().ended(asked, failure));
            CompletionStage<Admission<T>> begun = execution.begunBy(following(
                    claim,
                    given -> Stages.compose(entry.<T>claimed(operation, execution, sentAt, given), this::decided)));
            admissions.add(Stages.compose(
                    begun,
                    admission -> Engine.former(operation, admission)
                            .map(this::<T>begin)
                            .orElse(begun)));
        }
        return admissions;
    }

    private <T> CompletionStage<Admission<T>> decided(Admission<T> admission) {
        return entry.isDecided(admission)
                ? CompletableFuture.completedFuture(admission)
                : slow.start(() -> entry.decided(admission));
    }

    /** Records the result of work that {@link #begin} of this executor granted. */
    public <T> CompletionStage<Outcome<T>> settle(RunningOperation operation, WorkResult<T> result) {
        GrantedOperation granted = (GrantedOperation) operation;
        return lane.start(() -> granted.settling(Ending.of(granted.attempt(), result)));
    }

    /**
     * Records the results of many operations; updates of those whose messages are confirmed already are written
     * together.
     */
    public <T> List<CompletionStage<Outcome<T>>> settleAll(List<AsyncSettling<T>> settlings) {
        return settlings.stream()
                .map(settling -> settle(settling.operation(), settling.result()))
                .toList();
    }

    /**
     * Ends an operation that {@link #begin} of this executor granted and whose work threw, as the operation's policy
     * says. The stage fails with {@code failure}, unless the attempt is to be deferred: see {@link
     * IdempotentExecutor#execute}.
     */
    public <T> CompletionStage<Outcome<T>> fail(RunningOperation operation, Throwable failure) {
        GrantedOperation granted = (GrantedOperation) operation;
        return lane.start(() -> granted.settling(granted.ending(failure)));
    }

    /**
     * Abandons an operation, see {@link RunningOperation#abandon}. The stage ends when that is done;
     * with false, and a warning, if the store does not answer.
     */
    public CompletionStage<Boolean> abandon(RunningOperation operation) {
        return ((GrantedOperation) operation).abandoning();
    }

    /** Tries once more to record an effect, as {@link Outcome.Unrecorded#again} does, without blocking. */
    public <T> CompletionStage<Outcome<T>> again(Outcome.Unrecorded<T> open) {
        return lane.start(() -> RecordAgain.of(open).start());
    }

    /**
     * Continues a stage on a worker if the caller's thread would run the continuation, because the stage is complete
     * already.
     */
    private <A, B> CompletionStage<B> following(CompletionStage<A> stage, Function<A, CompletionStage<B>> then) {
        Thread caller = Thread.currentThread();
        return Stages.compose(
                stage,
                given -> Thread.currentThread() == caller ? lane.start(() -> then.apply(given)) : then.apply(given));
    }
}
