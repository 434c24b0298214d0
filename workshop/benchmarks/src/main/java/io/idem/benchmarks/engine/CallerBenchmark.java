package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.Contestant;
import io.idem.benchmarks.contestant.Contestants;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures callers that block until they are answered, each contestant by itself. */
@State(Scope.Benchmark)
public class CallerBenchmark {

    private static final String SETTLED = "settled-before-the-measurement";

    @Param("TWO_PINGS")
    public String contestant = "";

    private Contestant subject = Unconnected.CONTESTANT;

    /** Connects, and completes the key of the duplicates. */
    @Setup
    public void connect() {
        subject = Contestants.valueOf(contestant).connect(BenchRedis.uri());
        subject.duplicate(SETTLED);
    }

    /** Claims and completes a new key. */
    @Benchmark
    public Object fresh(Keys keys) {
        return subject.fresh(keys.next());
    }

    /** Asks for a completed key. */
    @Benchmark
    public Object duplicate() {
        return subject.duplicate(SETTLED);
    }

    @TearDown
    public void close() {
        subject.close();
    }
}
