package io.idem.benchmarks.redis;

import io.idem.benchmarks.Parts;
import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.contestant.BatchContestant;
import io.idem.benchmarks.contestant.BatchContestants;
import io.idem.benchmarks.contestant.Contestant;
import io.idem.benchmarks.contestant.Contestants;
import io.idem.benchmarks.report.Figures;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Measures the cost of a pair for the server: its CPU time and the number of commands. */
public final class CostSuite implements Suite {

    private static final int PAIRS = 10_000;
    private static final int BATCH = 500;
    private static final String[] SETS = {"set"};
    private static final String[] SCRIPTS = {"evalsha", "eval"};

    private static final int SECONDS = 8;

    private final Servers servers;
    private final ServerTime time;

    public CostSuite(Servers servers) {
        this.servers = servers;
        this.time = new ServerTime(servers.redis());
    }

    @Override
    public String name() {
        return "cost";
    }

    @Override
    public int seconds() {
        return SECONDS;
    }

    @Override
    public int enoughRounds() {
        return EVERY_ROUND;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        List<Part> parts = List.of(
                new Part("pairs of TWO_SETS", () -> pairs("TWO_SETS", Contestants.TWO_SETS, figures, SETS)),
                new Part("pairs of IDEM", () -> pairs("IDEM", Contestants.IDEM, figures, SCRIPTS)),
                new Part("duplicates", () -> duplicates(figures)),
                new Part("scripts", () -> new ScriptCosts(servers.redis()).measure(figures)),
                new Part("batches of TWO_SETS", () -> batches("TWO_SETS", figures, SETS)),
                new Part("batches of IDEM", () -> batches("IDEM", figures, SCRIPTS)));
        new Parts(order)
                .each(parts, part -> {
                    servers.redis().command("FLUSHALL");
                    part.work().run();
                })
                .end();
    }

    private void pairs(String name, Contestants who, Figures figures, String... commands) {
        String series = UUID.randomUUID() + ":";
        try (Contestant contestant = who.connect(servers.redis().uri())) {
            contestant.fresh(series + "first");
            time.reset();
            IntStream.range(0, PAIRS).forEach(pair -> contestant.fresh(series + pair));
            figures.add("Redis time per pair: " + name, "µs", time.microseconds(commands) / PAIRS);
            figures.add("commands per pair: " + name, "", time.calls(commands) / PAIRS);
        }
    }

    private void duplicates(Figures figures) {
        try (Contestant contestant =
                Contestants.IDEM_CACHED.connect(servers.redis().uri())) {
            contestant.duplicate("settled");
            contestant.duplicate("settled");
            time.reset();
            IntStream.range(0, PAIRS).forEach(pair -> contestant.duplicate("settled"));
            figures.add("commands per duplicate: IDEM_CACHED", "", time.calls() / PAIRS);
        }
    }

    private void batches(String name, Figures figures, String... commands) {
        try (BatchContestant contestant =
                BatchContestants.connect(name, servers.redis().uri())) {
            contestant.batch(batch());
            time.reset();
            IntStream.range(0, PAIRS / BATCH).forEach(number -> contestant.batch(batch()));
            figures.add("Redis time per pair in batches of 500: " + name, "µs", time.microseconds(commands) / PAIRS);
        }
    }

    private static List<String> batch() {
        String series = UUID.randomUUID() + ":";
        return IntStream.range(0, BATCH).mapToObj(number -> series + number).toList();
    }

    private record Part(String name, Runnable work) implements Parts.Part {}
}
