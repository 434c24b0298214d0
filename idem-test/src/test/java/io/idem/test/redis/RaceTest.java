package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads, few keys: as many effects as keys. */
@Tag("servers")
class RaceTest {

    private static final int THREADS = 32;
    private static final int KEYS = 100;
    private static final int FAILURES_BEFORE_SUCCESS = 1;

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final IdempotentExecutor executor =
            IdempotentExecutor.on(harness.store()).build();
    private final String run = UUID.randomUUID().toString();
    private final AtomicIntegerArray attempts = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray effects = new AtomicIntegerArray(KEYS);

    @AfterEach
    void stop() {
        executor.close();
        harness.stop();
    }

    @Test
    void everyKeyTakesEffectOnceThoughAllThreadsDeliverItAndAttemptsFail() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> deliveries = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random order = new Random(thread);
                deliveries.add(threads.submit(() -> deliverAll(order)));
            }
            for (Future<?> delivery : deliveries) {
                delivery.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(IntStream.range(0, KEYS).map(effects::get)).containsOnly(1);
        assertThat(IntStream.range(0, KEYS).map(attempts::get)).containsOnly(1 + FAILURES_BEFORE_SUCCESS);
    }

    private void deliverAll(Random order) {
        List<Integer> keys = new ArrayList<>(IntStream.range(0, KEYS).boxed().toList());
        Collections.shuffle(keys, order);
        keys.forEach(this::deliverUntilAnswered);
    }

    private void deliverUntilAnswered(int key) {
        Operation operation =
                Operation.of(IdempotencyKey.of(run + key), new Scope("payments"), ExecutionPolicy.defaults());
        Outcome<Integer> outcome = deliver(operation, key);
        while (!(outcome instanceof Outcome.Executed<Integer> || outcome instanceof Outcome.Replayed<Integer>)) {
            outcome = deliver(operation, key);
        }
    }

    private Outcome<Integer> deliver(Operation operation, int key) {
        try {
            return executor.execute(operation, context -> work(key));
        } catch (TransientException expected) {
            return new Outcome.Released<>(key, false);
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private WorkResult<Integer> work(int key) throws TransientException {
        if (attempts.incrementAndGet(key) <= FAILURES_BEFORE_SUCCESS) {
            throw new TransientException();
        }
        effects.incrementAndGet(key);
        return new WorkResult.Complete<>(key, StoredResult.NONE);
    }

    private static final class TransientException extends Exception {}
}
