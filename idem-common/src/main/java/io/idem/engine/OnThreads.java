package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.spi.InOrder;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Store that blocks threads of its own instead of the caller's: each batch is one task, which keeps the order of its
 * requests. A batch of large results lets others go first after every {@value #MOST_BYTES} bytes. Thread-safe.
 */
record OnThreads(RecordStore store, Executor threads) implements RecordStore {

    /** Bytes of results that a task writes before the rest of its batch goes to the end of the executor's queue. */
    static final int MOST_BYTES = 1024 * 1024;

    /** Returns a store that does not block its callers: the given one, unless that blocks. */
    static RecordStore around(RecordStore store) {
        Optional<Executor> threads = store.blockingThreads();
        return threads.isPresent() ? new OnThreads(store, threads.get()) : store;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(requests, AcquireRequest::record, distinct -> batch(distinct, store::acquire));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return InOrder.send(updates, update -> update.lease().record(), distinct -> batch(distinct, store::update));
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    private <Q, A> List<CompletionStage<A>> batch(List<Q> requests, Function<List<Q>, List<CompletionStage<A>>> call) {
        List<CompletableFuture<A>> answers = Stream.generate(CompletableFuture<A>::new)
                .limit(requests.size())
                .toList();
        execute(requests, answers, call);
        return List.copyOf(answers);
    }

    private <Q, A> void execute(
            List<Q> requests, List<CompletableFuture<A>> answers, Function<List<Q>, List<CompletionStage<A>>> call) {
        try {
            threads.execute(() -> run(requests, answers, call));
        } catch (RejectedExecutionException full) {
            StoreUnavailableException refusal = Stages.refused(full);
            answers.forEach(answer -> answer.completeExceptionally(refusal));
        }
    }

    /** Sends the requests one after the other, so that each is answered as soon as possible. */
    private <Q, A> void run(
            List<Q> requests, List<CompletableFuture<A>> answers, Function<List<Q>, List<CompletionStage<A>>> call) {
        long bytes = 0;
        int next = 0;
        while (next < requests.size() && bytes < MOST_BYTES) {
            Q request = requests.get(next);
            Stages.copy(Stages.started(() -> call.apply(List.of(request)).get(0)), answers.get(next));
            bytes += size(request);
            next++;
        }
        if (next < requests.size()) {
            execute(requests.subList(next, requests.size()), answers.subList(next, answers.size()), call);
        }
    }

    private static long size(Object request) {
        if (request instanceof RecordUpdate.Remember remember) {
            return remember.step().result().size();
        }
        return request instanceof RecordUpdate.Complete complete
                ? complete.result().size()
                : 0;
    }
}
