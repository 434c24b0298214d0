package io.idem.benchmarks.contestant;

import io.idem.Admission;
import io.idem.AsyncSettling;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.engine.OperationBatch;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;

/** The contestants for batches: two pipelined commands for each key, and the engine. */
public final class BatchContestants {

    private BatchContestants() {}

    /** Connects {@code TWO_SETS}, or else the engine, to the Redis server of this URI. */
    public static BatchContestant connect(String name, String uri) {
        return "TWO_SETS".equals(name) ? PipelinedSets.toServer(uri) : new Engine(uri);
    }

    private static final class Engine implements BatchContestant {

        private static final Scope SCOPE = new Scope("bench");
        private static final ExecutionPolicy POLICY = ExecutionPolicy.defaults();

        private final IdempotencyStore store;
        private final IdempotentExecutor executor;
        private final AsyncIdempotentExecutor async;

        Engine(String uri) {
            store = IdemContestant.redis(uri);
            executor = IdempotentExecutor.on(store).build();
            async = executor.async(ForkJoinPool.commonPool());
        }

        @Override
        public void batch(List<String> keys) {
            OperationBatch batch = async.batch();
            List<CompletionStage<Admission<Integer>>> beginnings = batch.beginAll(keys.stream()
                    .map(key -> Operation.of(IdempotencyKey.of(key), SCOPE, POLICY))
                    .toList());
            List<CompletionStage<Outcome<Integer>>> outcomes =
                    batch.settleAll(beginnings.stream().map(Engine::done).toList());
            outcomes.forEach(Engine::await);
        }

        private static AsyncSettling<Integer> done(CompletionStage<Admission<Integer>> beginning) {
            Admission<Integer> begun = await(beginning);
            RunningOperation granted = ((Admission.Granted<Integer>) begun).operation();
            return new AsyncSettling<>(granted, new WorkResult.Complete<>(1, StoredResult.NONE));
        }

        private static <T> T await(CompletionStage<T> stage) {
            CompletableFuture<T> future = stage.toCompletableFuture();
            return future.join();
        }

        @Override
        public void close() {
            executor.close();
            store.close();
        }
    }
}
