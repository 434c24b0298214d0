package io.idem.engine;

import io.idem.Admission;
import io.idem.AsyncSettling;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RunningOperation;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Operations that one thread begins together and ends together. Each method waits until everything is done; meanwhile
 * the calling thread itself runs what the workers of {@link AsyncIdempotentExecutor} run there, except reconcilers. So
 * answers are not handed from thread to thread, and all updates of a call go to the store together. Stages fail as they
 * do there. Used by one thread at a time; blocks it.
 */
public final class OperationBatch {

    private final CallerRunsExecutor callerRuns;
    private final AsyncIdempotentExecutor executor;

    OperationBatch(CallerRunsExecutor callerRuns, AsyncIdempotentExecutor executor) {
        this.callerRuns = callerRuns;
        this.executor = executor;
    }

    /** Acquires all operations; see {@link AsyncIdempotentExecutor#beginAll}. Every stage has ended. */
    public <T> List<CompletionStage<Admission<T>>> beginAll(List<Operation> operations) {
        return callerRuns.awaitAll(() -> executor.beginAll(operations));
    }

    /**
     * Records the results of operations that {@link #beginAll} granted; see {@link AsyncIdempotentExecutor#settleAll}.
     * Every stage has ended.
     */
    public <T> List<CompletionStage<Outcome<T>>> settleAll(List<AsyncSettling<T>> settlings) {
        return callerRuns.awaitAll(() -> executor.settleAll(settlings));
    }

    /**
     * Ends operations that {@link #beginAll} granted and whose work threw; see {@link AsyncIdempotentExecutor#fail}.
     * Every stage has ended.
     */
    public <T> List<CompletionStage<Outcome<T>>> failAll(List<RunningOperation> operations, Throwable failure) {
        return callerRuns.awaitAll(() -> operations.stream()
                .map(operation -> executor.<T>fail(operation, failure))
                .toList());
    }

    /**
     * Abandons operations that {@link #beginAll} granted; see {@link RunningOperation#abandon}. Returns when that is
     * done, and never fails.
     */
    public void abandonAll(List<RunningOperation> operations) {
        var unused = callerRuns.awaitAll(
                () -> operations.stream().map(executor::abandon).toList());
    }
}
