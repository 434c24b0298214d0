package io.idem.workshop.chaos.soak;

import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.check.Check;
import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.check.LedgerRow;
import io.idem.workshop.chaos.check.Promise;
import io.idem.workshop.chaos.fault.Blow;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.Faults;
import io.idem.workshop.chaos.load.ClientLog;
import io.idem.workshop.chaos.load.Load;
import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.RedisSide;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Flaw;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.chaos.worker.StoreKind;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** A long run of steady load with an occasional mild fault that ends no process. */
public final class Soak {

    private static final String PREFIX = "soak.steady";
    private static final long SAMPLE_SECONDS = 10;
    private static final int SAMPLES_BETWEEN_FAULTS = 6;
    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(2);
    private static final FaultClass[] MILD = {
        FaultClass.REDIS_CUT,
        FaultClass.AMQP_CUT,
        FaultClass.KAFKA_CUT,
        FaultClass.SCRIPT_FLUSH,
        FaultClass.REPLY_CUT,
        FaultClass.DUPLICATE,
        FaultClass.SLOW_SCRIPT
    };

    private final Plan plan;
    private final PrintStream out;
    private final Random random;
    private int faults;

    /**
     * The options of a soak.
     *
     * @param minutes duration of the load
     * @param seed seed of every random choice
     * @param rate messages per second on each lane
     * @param deliveryLimit delivery limit of RabbitMQ's queues
     * @param output directory of reports and logs
     * @param command command that repeats the run
     */
    public record Plan(int minutes, long seed, int rate, int deliveryLimit, Path output, String command) {}

    public Soak(Plan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
        this.random = new Random(plan.seed());
    }

    /** Runs the soak and returns its report. */
    public SoakReport run() {
        Path grants = plan.output().resolve("grants-soak.log").toAbsolutePath();
        Path vitals = directory(plan.output().resolve("vitals"));
        try (ClientLog log = new ClientLog(plan.output().resolve("clients-soak.jsonl"));
                Backends backends = new Backends(plan.deliveryLimit());
                Stage stage = new Stage(
                        backends,
                        RedisSide.Single.start(),
                        grants,
                        Flaw.NONE,
                        Map.of(Names.VITALS, vitals.toAbsolutePath().toString()))) {
            Samples samples = new Samples(stage, vitals);
            List<Promise> promises = soak(stage, samples, log);
            return SoakReport.of(plan, backends.versions(), faults, samples.all(), findings(backends, promises));
        }
    }

    private static Path directory(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException("No directory " + path, e);
        }
    }

    private List<Promise> soak(Stage stage, Samples samples, ClientLog log) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(plan.minutes());
        try (Load load = new Load(stage.entrance(), stage.store().lanes(), log, PREFIX, plan.rate(), plan.seed())) {
            for (int turn = 1; System.nanoTime() - end < 0; turn++) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(SAMPLE_SECONDS));
                samples.take();
                if (turn % SAMPLES_BETWEEN_FAULTS == 0) {
                    strike(stage, load);
                }
            }
            load.stop();
            List<Promise> promises = promises(load);
            Waiting.until(DRAINED_WITHIN, () -> done(stage.backends(), promises));
            return promises;
        }
    }

    private void strike(Stage stage, Load load) {
        FaultClass faultClass = MILD[random.nextInt(MILD.length)];
        Faults.strike(faultClass, new Blow(stage, load, random, plan.seed(), faults))
                .ifPresent(fault -> faults++);
        out.println(faultClass.id() + ", " + load.messages() + " messages on each lane");
    }

    private static List<Promise> promises(Load load) {
        return load.stories().stream()
                .map(story -> new Promise(story.lane().id(), story.key(), story.accepted(), story.differentAnswers()))
                .toList();
    }

    private static boolean done(Backends backends, List<Promise> promises) {
        Set<String> keys = new Ledger(backends.ledger())
                .rows(PREFIX).stream().map(LedgerRow::key).collect(Collectors.toSet());
        return promises.stream().filter(Promise::accepted).allMatch(promise -> keys.contains(promise.key()));
    }

    private static List<Finding> findings(Backends backends, List<Promise> promises) {
        List<LedgerRow> rows = new Ledger(backends.ledger()).rows(PREFIX);
        List<String> dead = new ArrayList<>(backends.rabbit().deadKeys());
        dead.addAll(backends.topics().deadKeys());
        return StoreKind.REDIS.lanes().stream()
                .map(lane -> Check.of(lane.id(), promises, rows, dead))
                .toList();
    }
}
