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
import io.idem.benchmarks.report.Causes;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** {@code ./bench}: measures, judges, reports. */
public final class Bench {

    private static final int USAGE = 2;
    private static final double NANOS = 1e9;

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
        try (Servers servers = new Servers()) {
            Schedule schedule = new Schedule(suites(servers), options.rounds());
            Machine machine = machine(servers);
            Report report = new Report(options, machine, figures);
            out.printf(
                    "seed %d, %d round(s), about %d minutes on two quiet cores%n",
                    options.seed(), options.rounds(), schedule.minutes());
            boolean complete = measured(schedule, () -> {
                servers.amqpDescription().ifPresent(broker -> machine.with("AMQP broker", broker));
                report.write();
            });
            out.println();
            out.println(report.goals(Causes.NONE));
            publish(report);
            return complete;
        }
    }

    private boolean measured(Schedule schedule, Writing report) throws IOException {
        Random order = new Random(options.seed());
        Progress progress = new Progress(schedule.seconds());
        boolean complete = true;
        for (int round = 1; round <= options.rounds(); round++) {
            figures.begin(round);
            for (Suite suite : schedule.round(round, order)) {
                long start = System.nanoTime();
                complete &= measured(suite, order);
                report.write();
                say(round, suite, (System.nanoTime() - start) / NANOS, progress);
            }
        }
        return complete;
    }

    private void say(int round, Suite suite, double seconds, Progress progress) {
        progress.done(suite.seconds(), seconds);
        out.printf(
                "round %d: %s, %.0f s of %d planned; about %d minutes left%n",
                round, suite.name(), seconds, suite.seconds(), progress.minutesLeft());
    }

    /** What one suite cannot measure is missing; the others are measured all the same, also where it failed by an {@link Error}. */
    private boolean measured(Suite suite, Random order) {
        try {
            suite.round(figures, order);
            return true;
        } catch (Exception | Error failed) {
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
        return List.<Suite>of(
                        new EngineSuite(servers, options.iterations(), options.milliseconds(), options.newestJava()),
                        new CostSuite(servers),
                        new SizeSuite(servers),
                        new GrowthSuite(options.records()),
                        new MemorySuite(servers),
                        new ProfileSuite(servers),
                        new HttpSuite(servers),
                        new KafkaSuite(servers),
                        new RabbitSuite(servers))
                .stream()
                .filter(suite -> options.wants(suite.name()))
                .toList();
    }

    private Machine machine(Servers servers) {
        return new Machine()
                .with("Redis", servers.redis().info("redis_version"))
                .with("libraries", new Libraries(System.getProperty("java.class.path", "")).versions())
                .with("records of G10", Integer.toString(options.records()))
                .with("rounds", Integer.toString(options.rounds()))
                .with("newest JDK", options.newestJava().map(Facts::jdk).orElse("none here"))
                .with("commit", Facts.commit());
    }

    /** Notes what is known so far. */
    private interface Writing {
        void write() throws IOException;
    }
}
