package io.idem.jdbc.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Lets an executor's threads block instead of the caller's: one task for each batch, its requests in their order. A batch of large
 * results makes way for others after every {@value #MOST_BYTES} bytes.
 */
final class ExecutorStore implements AsyncIdempotencyStore {

    /** Bytes of results that a task writes before the rest of its batch goes to the end of the executor's queue. */
    static final int MOST_BYTES = 1024 * 1024;

    private final IdempotencyStore store;
    private final Executor executor;

    ExecutorStore(IdempotencyStore store, Executor executor) {
        this.store = store;
        this.executor = executor;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return batch(requests, store::acquire);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
        return batch(requests, store::settle);
    }

    private <Q, A> List<CompletionStage<A>> batch(List<Q> requests, Function<Q, A> call) {
        List<CompletableFuture<A>> answers = Stream.generate(CompletableFuture<A>::new)
                .limit(requests.size())
                .toList();
        execute(requests, answers, call);
        return List.copyOf(answers);
    }

    private <Q, A> void execute(List<Q> requests, List<CompletableFuture<A>> answers, Function<Q, A> call) {
        try {
            executor.execute(() -> run(requests, answers, call));
        } catch (RejectedExecutionException full) {
            StoreUnavailableException refusal = new StoreUnavailableException(
                    "The threads that speak to PostgreSQL took no more work: " + full.getMessage(),
                    Execution.NOT_EXECUTED,
                    full);
            answers.forEach(answer -> answer.completeExceptionally(refusal));
        }
    }

    private <Q, A> void run(List<Q> requests, List<CompletableFuture<A>> answers, Function<Q, A> call) {
        long bytes = 0;
        int next = 0;
        while (next < requests.size() && bytes < MOST_BYTES) {
            Q request = requests.get(next);
            answer(answers.get(next), request, call);
            bytes += size(request);
            next++;
        }
        if (next < requests.size()) {
            execute(requests.subList(next, requests.size()), answers.subList(next, answers.size()), call);
        }
    }

    private static long size(Object request) {
        return request instanceof RecordUpdate.Complete complete
                ? complete.result().size()
                : 0;
    }

    /** Whatever is thrown, also an Error, ends its own answer only: somebody waits for each of them. */
    private static <Q, A> void answer(CompletableFuture<A> answer, Q request, Function<Q, A> call) {
        try {
            answer.complete(call.apply(request));
        } catch (Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }
}
