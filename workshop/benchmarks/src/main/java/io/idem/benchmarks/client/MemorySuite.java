package io.idem.benchmarks.client;

import io.idem.Admission;
import io.idem.AsyncSettling;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figures;
import io.idem.engine.IdempotentExecutor;
import io.idem.engine.OperationBatch;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/** Measures the heap that operations hold while they run, with their keys, and what is left of it afterwards. */
public final class MemorySuite implements Suite {

    private static final int SECONDS = 4;
    private static final int OPERATIONS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Scope SCOPE = new Scope("bench");

    private final Servers servers;

    public MemorySuite(Servers servers) {
        this.servers = servers;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public int seconds() {
        return SECONDS;
    }

    @Override
    public int enoughRounds() {
        return FEW_ROUNDS;
    }

    @Override
    public void round(Figures figures, Random order) {
        servers.redis().command("FLUSHALL");
        try (RedisIdempotencyStore store = new RedisIdempotencyStore(
                        RedisSettings.of(RedisURI.create(servers.redis().uri())).withCommandTimeout(PATIENCE));
                IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            settle(executor, begin(executor));
            double idle = heap();
            List<RunningOperation> running = begin(executor);
            figures.add("heap per running operation: IDEM", "B", (heap() - idle) / OPERATIONS);
            settle(executor, running);
            running = List.of();
            figures.add("heap kept per settled operation: IDEM", "B", (heap() - idle) / OPERATIONS + running.size());
        }
    }

    private static List<RunningOperation> begin(IdempotentExecutor executor) {
        String series = UUID.randomUUID() + ":";
        List<Operation> operations = IntStream.range(0, OPERATIONS)
                .mapToObj(number -> Operation.of(IdempotencyKey.of(series + number), SCOPE, ExecutionPolicy.defaults()))
                .toList();
        return batch(executor).<Integer>beginAll(operations).stream()
                .map(stage -> stage.toCompletableFuture().join())
                .map(beginning -> ((Admission.Granted<Integer>) beginning).operation())
                .toList();
    }

    private static void settle(IdempotentExecutor executor, List<RunningOperation> running) {
        batch(executor)
                .settleAll(running.stream()
                        .map(operation ->
                                new AsyncSettling<>(operation, new WorkResult.Complete<>(1, StoredResult.NONE)))
                        .toList())
                .forEach(stage -> stage.toCompletableFuture().join());
    }

    private static OperationBatch batch(IdempotentExecutor executor) {
        return executor.async(ForkJoinPool.commonPool()).batch();
    }

    /** Returns the used heap after two collections: the second one frees what became unreachable during the first. */
    private static double heap() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - (double) runtime.freeMemory();
    }
}
