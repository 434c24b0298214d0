package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.BatchContestant;
import io.idem.benchmarks.contestant.BatchContestants;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures batches of five hundred keys, as a batch listener claims them. */
@State(Scope.Benchmark)
public class BatchBenchmark {

    private static final int SIZE = 500;

    @Param("TWO_SETS")
    public String contestant = "";

    private BatchContestant asked = keys -> {};

    @Setup
    public void connect() {
        asked = BatchContestants.connect(contestant, BenchRedis.uri());
    }

    /** Claims and completes {@value #SIZE} new keys. */
    @Benchmark
    @OperationsPerInvocation(SIZE)
    public int batch(Keys keys) {
        List<String> batch = Stream.generate(keys::next).limit(SIZE).toList();
        asked.batch(batch);
        return batch.size();
    }

    @TearDown
    public void close() {
        asked.close();
    }
}
