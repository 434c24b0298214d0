package io.idem.benchmarks.engine;

import io.idem.benchmarks.report.Figures;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs JMH and collects its figures. */
final class Jmh {

    private static final double MEDIAN = 50;
    private static final double TAIL = 99;
    private static final double START_SECONDS = 2.5;
    private static final int ITERATIONS = 2;
    private static final double MILLIS_PER_SECOND = 1_000;
    /** The time limit of a run; one that hangs would hold up the others. */
    private static final TimeValue PATIENCE = TimeValue.minutes(3);

    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private final String redisUri;
    private final int warmUpSeconds;
    private final TimeValue iteration;

    Jmh(String redisUri, int warmUpSeconds, int milliseconds) {
        this.redisUri = redisUri;
        this.warmUpSeconds = warmUpSeconds;
        this.iteration = TimeValue.milliseconds(milliseconds);
    }

    /** Returns the duration of a run, including the start of its JVM. */
    double secondsPerRun() {
        return START_SECONDS
                + warmUpSeconds
                + ITERATIONS * iteration.convertTo(TimeUnit.MILLISECONDS) / MILLIS_PER_SECOND;
    }

    void measure(JmhRun run, Figures figures) throws RunnerException {
        Collection<RunResult> results = new Runner(options(run).build()).run();
        RunResult result = results.iterator().next();
        Statistics statistics = result.getPrimaryResult().getStatistics();
        if (run.mode() == Mode.SampleTime) {
            figures.add(run.name() + " p50", "µs", statistics.getPercentile(MEDIAN));
            figures.add(run.name() + " p99", "µs", statistics.getPercentile(TAIL));
        } else {
            figures.add(run.name(), "/s", result.getPrimaryResult().getScore());
        }
        if (result.getSecondaryResults().containsKey(ALLOCATION)) {
            figures.add(
                    run.name() + " allocated",
                    "B",
                    result.getSecondaryResults().get(ALLOCATION).getScore());
        }
    }

    private ChainedOptionsBuilder options(JmhRun run) {
        boolean latency = run.mode() == Mode.SampleTime;
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + run.benchmark().replace(".", "\\.") + "$")
                .mode(run.mode())
                .timeUnit(latency ? TimeUnit.MICROSECONDS : TimeUnit.SECONDS)
                .threads(run.threads())
                .forks(1)
                .warmupIterations(1)
                .warmupTime(TimeValue.seconds(warmUpSeconds))
                .measurementIterations(ITERATIONS)
                .measurementTime(iteration)
                .addProfiler(GCProfiler.class)
                .jvmArgs("-Xmx512m", "-D" + BenchRedis.PROPERTY + "=" + redisUri)
                .timeout(PATIENCE)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        run.parameters().forEach((name, value) -> options.param(name, value));
        run.java().ifPresent(options::jvm);
        return options;
    }
}
