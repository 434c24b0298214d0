package io.idem.consumer.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two consumers whose batches overlap. */
class BatchRaceTest extends BatchFixture {

    private static final int KEYS = 400;
    private static final int BATCH = 40;

    private final Map<String, Integer> runs = new ConcurrentHashMap<>();

    @Test
    void everyKeyOfOverlappingBatchesRunsOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> consumers = new ArrayList<>();
            for (int seed = 0; seed < 3; seed++) {
                Consumer consumer = consumer();
                Random random = new Random(seed);
                consumers.add(threads.submit(() -> consumeAll(consumer, random)));
            }
            for (Future<?> one : consumers) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(runs)
                .hasSize(KEYS)
                .allSatisfy((key, times) -> assertThat(times).isEqualTo(1));
    }

    /** What is deferred comes again, as a broker would have it. */
    private void consumeAll(Consumer consumer, Random random) {
        List<String> queue = new ArrayList<>(
                IntStream.range(0, KEYS).mapToObj(number -> "key-" + number).toList());
        while (!queue.isEmpty()) {
            Collections.shuffle(queue, random);
            List<String> keys = new ArrayList<>(queue.subList(0, Math.min(BATCH, queue.size())));
            queue.removeAll(consumed(consumer, keys));
        }
    }

    private List<String> consumed(Consumer consumer, List<String> keys) {
        try (ListenerBatch batch = consumer.listener()
                .acquire(keys.stream().map(BatchFixture::message).toList(), HOLD)) {
            if (!batch.toRun().isEmpty()) {
                batch.run(() -> call(consumer, batch, keys), NOWHERE);
            }
            return IntStream.range(0, keys.size())
                    .filter(place -> !(batch.decision(place) instanceof DeliveryDecision.Defer))
                    .mapToObj(keys::get)
                    .toList();
        }
    }

    private @Nullable Object call(Consumer consumer, ListenerBatch batch, List<String> keys) throws Exception {
        batch.toRun().forEach(place -> runs.merge(keys.get(place), 1, Integer::sum));
        consumer.proxy().plain(batch.toRun(), null, null);
        return null;
    }
}
