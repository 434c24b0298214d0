package io.idem.benchmarks;

import io.idem.benchmarks.client.MemorySuite;
import io.idem.benchmarks.client.ProfileSuite;
import io.idem.benchmarks.database.ClaimGrowth;
import io.idem.benchmarks.database.Ways;
import io.idem.benchmarks.engine.EngineSuite;
import io.idem.benchmarks.http.HttpSuite;
import io.idem.benchmarks.listener.KafkaSuite;
import io.idem.benchmarks.listener.RabbitSuite;
import io.idem.benchmarks.listener.StartSuite;
import io.idem.benchmarks.redis.CostSuite;
import io.idem.benchmarks.redis.GrowthSuite;
import io.idem.benchmarks.redis.SizeSuite;
import io.idem.benchmarks.report.Causes;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Machine;
import io.idem.benchmarks.report.MeasuredPart;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** The program {@code workshop/bench}: measures, judges and reports. */
public final class Bench {

    private static final int USAGE = 2;

    private final BenchOptions options;
    private final PrintStream out;
    private final Figures figures = new Figures();

    private Bench(BenchOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * Exits with 0 when everything was measured, whether goals were met or not; with 1 when something could not be
     * measured; with 2 when an option is wrong.
     */
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

    /** Returns whether everything could be measured. */
    private boolean run() throws Exception {
        if (options.publication().isPresent()) {
            new MeasuredPart(options.publication().get()).check();
        }
        try (Servers servers = new Servers()) {
            Schedule schedule = new Schedule(suites(servers), options.rounds());
            Machine machine = machine(servers);
            Report report = new Report(options, machine, figures);
            out.printf(
                    "seed %d, %d round(s), about %d minutes on two quiet cores%n",
                    options.seed(), options.rounds(), schedule.minutes());
            boolean complete = new Rounds(schedule, figures, () -> write(servers, machine, report), out)
                    .measure(new Random(options.seed()));
            out.println();
            out.println(report.goals(Causes.NONE));
            publish(report);
            return complete;
        }
    }

    private static void write(Servers servers, Machine machine, Report report) throws IOException {
        servers.amqpDescription().ifPresent(broker -> machine.with("AMQP broker", broker));
        report.write();
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
                        new EngineSuite(servers, options.warmUpSeconds(), options.milliseconds(), options.newestJava()),
                        new CostSuite(servers),
                        new SizeSuite(servers),
                        new GrowthSuite(options.records()),
                        new MemorySuite(servers),
                        new ProfileSuite(servers),
                        new HttpSuite(servers),
                        new StartSuite(),
                        KafkaSuite.withRedis(servers),
                        KafkaSuite.withInboxAlone(servers),
                        RabbitSuite.withRedis(servers),
                        RabbitSuite.withInboxAlone(servers),
                        Ways.inbox(servers, options.pairs()),
                        Ways.inboxAlone(servers, options.pairs()),
                        Ways.postgresql(servers, options.pairs()),
                        Ways.zooKeeper(servers, options.pairs()),
                        Ways.steps(servers, options.pairs()),
                        Ways.outbox(servers, options.pairs()),
                        Ways.intake(servers, options.pairs()),
                        Ways.peers(servers, options.pairs()),
                        new ClaimGrowth(options.pairs(), options.inboxRows()))
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
}
