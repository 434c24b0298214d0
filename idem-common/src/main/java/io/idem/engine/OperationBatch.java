package io.idem.engine;

import io.idem.Admission;
import io.idem.AsyncSettling;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RunningOperation;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Many operations that one thread begins together and ends together. It waits in each method until everything is there, and does
 * meanwhile itself what {@link AsyncIdempotentExecutor} has workers do, except reconciling: so answers are not handed from thread to
 * thread, and all settlements of a call go to the store together. What the stages end with is as there. To be used by one thread at
 * a time; blocks it.
 */
public final class OperationBatch {

    private final CallerRunsExecutor callerRuns;
    private final AsyncIdempotentExecutor executor;

    OperationBatch(CallerRunsExecutor callerRuns, AsyncIdempotentExecutor executor) {
        this.callerRuns = callerRuns;
        this.executor = executor;
    }

    /** Acquires all of them; see {@link AsyncIdempotentExecutor#beginAll}. Every stage has ended. */
    public <T> List<CompletionStage<Admission<T>>> beginAll(List<Operation> operations) {
        return callerRuns.awaitAll(() -> executor.beginAll(operations));
    }

    /** Settles what {@link #beginAll} granted; see {@link AsyncIdempotentExecutor#settleAll}. Every stage has ended. */
    public <T> List<CompletionStage<Outcome<T>>> settleAll(List<AsyncSettling<T>> settlings) {
        return callerRuns.awaitAll(() -> executor.settleAll(settlings));
    }

    /** Ends what {@link #beginAll} granted and whose work threw; see {@link AsyncIdempotentExecutor#fail}. Every stage has ended. */
    public <T> List<CompletionStage<Outcome<T>>> failAll(List<RunningOperation> operations, Throwable failure) {
        return callerRuns.awaitAll(() -> operations.stream()
                .map(operation -> executor.<T>fail(operation, failure))
                .toList());
    }

    /** Gives back what {@link #beginAll} granted; see {@link RunningOperation#abandon}. Ends when that is done, and never fails. */
    public void abandonAll(List<RunningOperation> operations) {
        var unused = callerRuns.awaitAll(
                () -> operations.stream().map(executor::abandon).toList());
    }
}
