package io.idem.benchmarks;

import io.idem.benchmarks.engine.EngineSuite;
import io.idem.benchmarks.http.HttpSuite;
import io.idem.benchmarks.listener.KafkaSuite;
import io.idem.benchmarks.listener.RabbitSuite;
import io.idem.benchmarks.redis.CostSuite;
import io.idem.benchmarks.redis.GrowthSuite;
import io.idem.benchmarks.redis.SizeSuite;
import io.idem.benchmarks.report.FigureTable;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.GoalTable;
import io.idem.benchmarks.report.Machine;
import io.idem.benchmarks.report.ResultFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** {@code ./bench}: measures, judges, reports. */
public final class Bench {

    private static final int USAGE = 2;

    private final BenchOptions options;
    private final PrintStream out;
    private final Figures figures = new Figures();

    private Bench(BenchOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Exits with 0 once everything was measured, however the goals came out; with 2 if an option is wrong. */
    public static void main(String[] words) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            new Bench(BenchOptions.parse(words), out).run();
        } catch (UsageException wrong) {
            out.println("bench: " + wrong.getMessage());
            System.exit(USAGE);
        }
        System.exit(0);
    }

    private void run() throws Exception {
        out.println("seed " + options.seed() + ", " + options.rounds() + " round(s)");
        try (Servers servers = Servers.start()) {
            Random order = new Random(options.seed());
            for (int round = 1; round <= options.rounds(); round++) {
                round(servers, round, order);
            }
            report(machine(servers));
        }
    }

    private void round(Servers servers, int number, Random order) throws Exception {
        List<Suite> suites = suites(servers);
        Collections.shuffle(suites, order);
        for (Suite suite : suites) {
            long start = System.nanoTime();
            suite.round(figures, order);
            out.printf("round %d: %s, %d s%n", number, suite.name(), (System.nanoTime() - start) / 1_000_000_000);
        }
    }

    private List<Suite> suites(Servers servers) {
        return new java.util.ArrayList<>(List.<Suite>of(
                        new EngineSuite(servers, options.iterations(), options.milliseconds(), options.newestJava()),
                        new CostSuite(servers),
                        new SizeSuite(servers),
                        new GrowthSuite(servers, options.records()),
                        new HttpSuite(servers),
                        new KafkaSuite(servers),
                        new RabbitSuite(servers))
                .stream()
                .filter(suite -> options.wants(suite.name()))
                .toList());
    }

    private Machine machine(Servers servers) {
        return new Machine()
                .with("Redis", servers.redis().info("redis_version"))
                .with("AMQP broker", servers.amqp().description())
                .with("records of G10", Integer.toString(options.records()))
                .with("rounds", Integer.toString(options.rounds()))
                .with("newest JDK", options.newestJava().isPresent() ? "measured" : "none here");
    }

    private void report(Machine machine) throws IOException {
        String goals = new GoalTable(Goals.all()).render(figures);
        out.println();
        out.println(goals);
        new ResultFile(options.output().resolve("results.json")).write(machine, options.seed(), Goals.all(), figures);
        Files.writeString(
                options.output().resolve("report.md"),
                machine.line() + "; seed " + options.seed() + ".\n\n" + goals + "\n"
                        + new FigureTable().render(figures));
        out.println("written: " + options.output().resolve("results.json") + ", report.md beside it");
    }
}
