package io.idem.gateway.service.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {

    private static final int MOST = 3;
    private static final int THREADS = 8;
    private static final int TIMES = 5_000;

    private final InFlightLimit limit = new InFlightLimit(MOST);

    @Test
    void racingRequestsAreNeverMoreThanMayBe() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Integer> client = () ->
                    IntStream.range(0, TIMES).map(time -> pass(inside)).max().orElse(0);
            List<Future<Integer>> most = threads.invokeAll(
                    IntStream.range(0, THREADS).mapToObj(thread -> client).toList());
            List<Integer> seen = new ArrayList<>();
            for (Future<Integer> one : most) {
                seen.add(one.get());
            }
            assertThat(Collections.max(seen)).isBetween(1, MOST);
        } finally {
            threads.shutdownNow();
        }
        assertThat(limit.inFlight()).isZero();
    }

    private int pass(AtomicInteger inside) {
        if (!limit.enter()) {
            return 0;
        }
        int seen = inside.incrementAndGet();
        Thread.onSpinWait();
        inside.decrementAndGet();
        limit.leave();
        return seen;
    }

    @Test
    void refusedRequestsAreCounted() {
        IntStream.range(0, MOST + 2).forEach(request -> limit.enter());

        assertThat(limit.inFlight()).isEqualTo(MOST);
        assertThat(limit.refused()).isEqualTo(2);
    }
}
