package io.idem.benchmarks.engine;

import io.idem.benchmarks.Parts;
import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.contestant.AsyncContestants;
import io.idem.benchmarks.contestant.Contestants;
import io.idem.benchmarks.report.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Measures the engine and its peers with JMH. A round measures each of them once, in a random order. */
public final class EngineSuite implements Suite {

    private static final List<Integer> MANY = List.of(16, 64, 256);
    private static final int PEERS_CALLERS = 16;
    /** Few rounds suffice, because each has a long warm-up. */
    private static final int ENOUGH_ROUNDS = 3;

    private static final List<Contestants> OWN = List.of(Contestants.TWO_PINGS, Contestants.TWO_SETS, Contestants.IDEM);

    private final Servers servers;
    private final Jmh jmh;
    private final Optional<String> newestJava;

    /** Creates the suite; {@code newestJava} is the java program of a JDK with virtual threads. */
    public EngineSuite(Servers servers, int warmUpSeconds, int milliseconds, Optional<String> newestJava) {
        this.servers = servers;
        this.jmh = new Jmh(servers.redis().uri(), warmUpSeconds, milliseconds);
        this.newestJava = newestJava;
    }

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public int seconds() {
        return (int) (runs().size() * jmh.secondsPerRun());
    }

    @Override
    public int enoughRounds() {
        return ENOUGH_ROUNDS;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        new Parts(order)
                .each(runs(), run -> {
                    servers.redis().command("FLUSHALL");
                    jmh.measure(run, figures);
                })
                .end();
    }

    private List<JmhRun> runs() {
        List<JmhRun> runs = new ArrayList<>();
        for (Contestants contestant : Contestants.values()) {
            runs.addAll(oneAndSixteen(contestant));
        }
        OWN.forEach(contestant -> runs.addAll(more(contestant)));
        Arrays.stream(AsyncContestants.values()).forEach(contestant -> runs.addAll(asynchronous(contestant)));
        runs.add(JmhRun.throughput(
                "batch of 500: TWO_SETS", BatchBenchmark.class, "batch", Map.of("contestant", "TWO_SETS"), 1));
        runs.add(JmhRun.throughput(
                "batch of 500: IDEM", BatchBenchmark.class, "batch", Map.of("contestant", "IDEM"), 1));
        newestJava.ifPresent(java -> runs.addAll(newest(java)));
        return runs;
    }

    private static List<JmhRun> oneAndSixteen(Contestants contestant) {
        Map<String, String> who = Map.of("contestant", contestant.name());
        return List.of(
                JmhRun.latency("fresh, 1 caller: " + contestant, CallerBenchmark.class, "fresh", who),
                JmhRun.latency("duplicate, 1 caller: " + contestant, CallerBenchmark.class, "duplicate", who),
                JmhRun.throughput("fresh, 1 caller, rate: " + contestant, CallerBenchmark.class, "fresh", who, 1),
                JmhRun.throughput(
                        "fresh, 16 callers: " + contestant, CallerBenchmark.class, "fresh", who, PEERS_CALLERS),
                JmhRun.throughput(
                        "duplicate, 16 callers: " + contestant,
                        CallerBenchmark.class,
                        "duplicate",
                        who,
                        PEERS_CALLERS));
    }

    private static List<JmhRun> more(Contestants contestant) {
        Map<String, String> who = Map.of("contestant", contestant.name());
        return MANY.stream()
                .filter(callers -> callers > PEERS_CALLERS)
                .map(callers -> JmhRun.throughput(
                        "fresh, " + callers + " callers: " + contestant, CallerBenchmark.class, "fresh", who, callers))
                .toList();
    }

    private static List<JmhRun> asynchronous(AsyncContestants contestant) {
        return MANY.stream()
                .map(callers -> JmhRun.throughput(
                        "fresh, " + callers + " asynchronous: " + contestant,
                        AsyncBenchmark.class,
                        "pairs",
                        Map.of("contestant", contestant.name(), "callers", callers.toString()),
                        1))
                .toList();
    }

    private static List<JmhRun> newest(String java) {
        List<JmhRun> runs = new ArrayList<>();
        for (String threads : List.of("platform", "virtual")) {
            runs.add(JmhRun.throughput(
                            "fresh, 256 callers, newest JDK, " + threads + ": IDEM",
                            ThreadsBenchmark.class,
                            "pairs",
                            Map.of("contestant", "IDEM", "threads", threads, "callers", "256"),
                            1)
                    .on(Optional.of(java)));
        }
        OWN.forEach(contestant -> runs.add(JmhRun.latency(
                        "fresh, 1 caller, newest JDK: " + contestant,
                        CallerBenchmark.class,
                        "fresh",
                        Map.of("contestant", contestant.name()))
                .on(Optional.of(java))));
        return runs;
    }
}
