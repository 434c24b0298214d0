package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.Contestant;
import io.idem.benchmarks.contestant.Contestants;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures blocking callers on platform threads and on virtual threads; the latter need JDK 21 or newer. */
@State(Scope.Benchmark)
public class ThreadsBenchmark {

    private static final int PAIRS = 5_120;

    @Param("IDEM")
    public String contestant = "";

    /** The kind of threads, {@code platform} or {@code virtual}. */
    @Param("platform")
    public String threads = "";

    /** The number of callers that block at the same time. */
    @Param("256")
    public int callers;

    private Contestant subject = Unconnected.CONTESTANT;
    private ExecutorService executor = Executors.newFixedThreadPool(1);

    @Setup
    public void connect() {
        executor.shutdown();
        executor = "virtual".equals(threads) ? VirtualThreads.executor() : Executors.newFixedThreadPool(callers);
        subject = Contestants.valueOf(contestant).connect(BenchRedis.uri());
    }

    /** Makes {@value #PAIRS} pairs, spread over all callers. */
    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public int pairs(Keys keys) throws Exception {
        List<Callable<Integer>> tasks = IntStream.range(0, callers)
                .mapToObj(caller -> series(keys.next()))
                .toList();
        int done = 0;
        for (Future<Integer> task : executor.invokeAll(tasks)) {
            done += task.get();
        }
        return done;
    }

    private Callable<Integer> series(String name) {
        return () -> {
            int pairs = PAIRS / callers;
            for (int i = 0; i < pairs; i++) {
                subject.fresh(name + ":" + i);
            }
            return pairs;
        };
    }

    @TearDown
    public void close() {
        executor.shutdown();
        subject.close();
    }
}
