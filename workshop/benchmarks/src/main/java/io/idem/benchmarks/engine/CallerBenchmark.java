package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.Contestant;
import io.idem.benchmarks.contestant.Contestants;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Callers that wait for their answers, each contestant by itself. */
@State(Scope.Benchmark)
public class CallerBenchmark {

    private static final String SETTLED = "settled-before-the-measurement";

    /** Which contestant. */
    @Param("TWO_PINGS")
    public String contestant = "";

    private Contestant subject = Unconnected.CONTESTANT;

    /** Connects, and settles the key that duplicates ask for. */
    @Setup
    public void connect() {
        subject = Contestants.valueOf(contestant).connect(BenchRedis.uri());
        subject.duplicate(SETTLED);
    }

    /** Claim and completion of a new key. */
    @Benchmark
    public Object fresh(Keys keys) {
        return subject.fresh(keys.next());
    }

    /** A key that is done. */
    @Benchmark
    public Object duplicate() {
        return subject.duplicate(SETTLED);
    }

    /** Disconnects. */
    @TearDown
    public void close() {
        subject.close();
    }
}
