package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.AsyncContestant;
import io.idem.benchmarks.contestant.AsyncContestants;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures many callers that do not block: each requests its next pair when the last one is answered. */
@State(Scope.Benchmark)
public class AsyncBenchmark {

    private static final int PAIRS = 5_120;

    @Param("TWO_PINGS")
    public String contestant = "";

    /** The number of pairs in progress. */
    @Param("64")
    public int callers;

    private AsyncContestant asked = new Nobody();

    @Setup
    public void connect() {
        asked = AsyncContestants.valueOf(contestant).connect(BenchRedis.uri());
    }

    /** Makes {@value #PAIRS} pairs, spread over all callers. */
    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public Object pairs(Keys keys) {
        CompletableFuture<?>[] series = IntStream.range(0, callers)
                .mapToObj(caller -> new Series(asked, keys.next(), PAIRS / callers).run())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(series).join();
    }

    @TearDown
    public void close() {
        asked.close();
    }
}
