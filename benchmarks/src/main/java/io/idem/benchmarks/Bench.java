package io.idem.benchmarks;

import io.idem.benchmarks.client.MemorySuite;
import io.idem.benchmarks.client.ProfileSuite;
import io.idem.benchmarks.engine.EngineSuite;
import io.idem.benchmarks.http.HttpSuite;
import io.idem.benchmarks.listener.KafkaSuite;
import io.idem.benchmarks.listener.RabbitSuite;
import io.idem.benchmarks.redis.CostSuite;
import io.idem.benchmarks.redis.GrowthSuite;
import io.idem.benchmarks.redis.SizeSuite;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** {@code ./bench}: measures, judges, reports. */
public final class Bench {

    private static final int USAGE = 2;
    private static final int SECONDS_PER_MINUTE = 60;

    private final BenchOptions options;
    private final PrintStream out;
    private final Figures figures = new Figures();

    private Bench(BenchOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Exits with 0 once everything was measured, however the goals came out; with 1 if something could not be; with 2 if an option is wrong. */
    public static void main(String[] words) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        boolean complete = false;
        try {
            complete = new Bench(BenchOptions.parse(words), out).run();
        } catch (UsageException wrong) {
            out.println("bench: " + wrong.getMessage());
            System.exit(USAGE);
        }
        System.exit(complete ? 0 : 1);
    }

    /** Whether everything could be measured. */
    private boolean run() throws Exception {
        try (Servers servers = Servers.start()) {
            Report report = new Report(options, machine(servers), figures);
            out.printf(
                    "seed %d, %d round(s), about %d minutes on two quiet cores%n",
                    options.seed(), options.rounds(), 1 + options.rounds() * seconds(servers) / SECONDS_PER_MINUTE);
            Random order = new Random(options.seed());
            boolean complete = true;
            for (int round = 1; round <= options.rounds(); round++) {
                complete &= round(servers, round, order, report);
            }
            out.println();
            out.println(report.goals());
            publish(report);
            return complete;
        }
    }

    private int seconds(Servers servers) {
        return suites(servers).stream().mapToInt(Suite::seconds).sum();
    }

    private boolean round(Servers servers, int number, Random order, Report report) throws IOException {
        List<Suite> suites = suites(servers);
        Collections.shuffle(suites, order);
        boolean complete = true;
        for (Suite suite : suites) {
            long start = System.nanoTime();
            complete &= measured(suite, order);
            report.write();
            out.printf("round %d: %s, %d s%n", number, suite.name(), (System.nanoTime() - start) / 1_000_000_000);
        }
        return complete;
    }

    /** What one suite cannot measure is missing; the others are measured all the same. */
    private boolean measured(Suite suite, Random order) {
        try {
            suite.round(figures, order);
            return true;
        } catch (Exception failed) {
            out.println("bench: " + suite.name() + " failed");
            failed.printStackTrace(out);
            return false;
        }
    }

    private void publish(Report report) throws IOException {
        out.println("written: " + options.output().resolve("results.json") + ", report.md and plots beside it");
        if (options.publication().isPresent()) {
            report.publish(options.publication().get());
            out.println("published: " + options.publication().get());
        }
    }

    private List<Suite> suites(Servers servers) {
        return new java.util.ArrayList<>(List.<Suite>of(
                        new EngineSuite(servers, options.iterations(), options.milliseconds(), options.newestJava()),
                        new CostSuite(servers),
                        new SizeSuite(servers),
                        new GrowthSuite(servers, options.records()),
                        new MemorySuite(servers),
                        new ProfileSuite(servers),
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
                .with("newest JDK", options.newestJava().map(Facts::jdk).orElse("none here"))
                .with("commit", Facts.commit());
    }
}
