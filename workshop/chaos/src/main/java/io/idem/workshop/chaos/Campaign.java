package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Grants;
import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.check.Returns;
import io.idem.workshop.chaos.check.Stall;
import io.idem.workshop.chaos.check.Stalls;
import io.idem.workshop.chaos.check.Stories;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultClass.Redis;
import io.idem.workshop.chaos.fault.FaultRecord;
import io.idem.workshop.chaos.load.ClientLog;
import io.idem.workshop.chaos.report.Distribution;
import io.idem.workshop.chaos.report.PhaseFigures;
import io.idem.workshop.chaos.report.Report;
import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.RedisSide;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.StallWatch;
import io.idem.workshop.chaos.worker.StoreKind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** A complete run: rounds of phases, and the report at the end. */
final class Campaign {

    private final ChaosOptions options;
    private final Consumer<Report> reports;
    private final PrintStream out;
    private final Notes notes;
    private final long start = System.nanoTime();
    private final Path grants;
    private final Stories stories;
    private final Path stalls;
    private final KeptLogs keptLogs;
    private final KeptTraces traces;
    private final List<Phase.Outcome> outcomes = new ArrayList<>();
    private final List<PhaseFigures> figures = new ArrayList<>();
    private Optional<String> breakdown = Optional.empty();

    /** Creates a run. After every phase {@code reports} receives the figures so far. */
    Campaign(ChaosOptions options, String command, PrintStream out, Consumer<Report> reports) {
        this.options = options;
        this.reports = reports;
        this.out = out;
        this.notes = new Notes(options, command);
        this.grants = options.output().resolve("grants.log").toAbsolutePath();
        this.stories = new Stories(grants.resolveSibling(Stage.STORIES));
        this.stalls = grants.resolveSibling(Stage.STALLS);
        this.keptLogs = new KeptLogs(options.output());
        this.traces = new KeptTraces(options.output(), command);
    }

    Report run() {
        traces.clear();
        try (ClientLog log = new ClientLog(options.output().resolve("clients.jsonl"));
                StallWatch watch = new StallWatch(stalls);
                Backends backends = new Backends(options.deliveryLimit())) {
            notes.versions(backends.versions());
            for (int round = 0; isDue(round); round++) {
                for (Redis redis : Redis.values()) {
                    tryToRun(redis, backends, log);
                }
            }
            return reckon(backends, log);
        }
    }

    private boolean isDue(int round) {
        return breakdown.isEmpty()
                && !isTimeUp()
                && (options.minutes().isPresent() || round < options.size().rounds());
    }

    private boolean isTimeUp() {
        return options.minutes().isPresent()
                && seconds() >= TimeUnit.MINUTES.toSeconds(options.minutes().getAsInt());
    }

    /**
     * Runs until the end. An error of the laboratory ends the run and is reported together with the findings so far.
     */
    private void tryToRun(Redis redis, Backends backends, ClientLog log) {
        List<FaultClass> classes = options.classes().stream()
                .filter(each -> redisOf(each) == redis && each.hindrance().isEmpty())
                .toList();
        if (classes.isEmpty() || breakdown.isPresent() || isTimeUp()) {
            return;
        }
        try {
            run(classes, backends, redis, log);
        } catch (RuntimeException broken) {
            LoggerFactory.getLogger(Campaign.class).error("The harness broke down", broken);
            breakdown = Optional.of("harness: broke down: " + broken);
            say(breakdown.get());
        }
    }

    private Redis redisOf(FaultClass faultClass) {
        return options.store() == StoreKind.INBOX ? Redis.NONE : faultClass.redis();
    }

    private void run(List<FaultClass> classes, Backends backends, Redis redis, ClientLog log) {
        RedisSide side = side(redis);
        notes.version(side.version());
        say(options.store() == StoreKind.INBOX ? "starting workers" : "starting intake and workers");
        try (Stage stage = new Stage(backends, side, grants, options.flaw(), options.waits())) {
            try {
                for (FaultClass each : classes) {
                    if (!isTimeUp()) {
                        run(each, stage, log);
                        reports.accept(report(log, Map.of(), List.of(), false));
                    }
                }
            } finally {
                notes.startUps(stage.crew().startUps());
                stage.endApplications();
                traces.take(side);
            }
        }
    }

    private static RedisSide side(Redis kind) {
        return switch (kind) {
            case SINGLE -> RedisSide.Single.start();
            case GUARDED -> RedisSide.Guarded.start();
            case CLUSTER -> RedisSide.Spread.start();
            case SHIFTED -> RedisSide.Shifted.start();
            case NONE -> new RedisSide.None();
        };
    }

    private void run(FaultClass faultClass, Stage stage, ClientLog log) {
        String prefix = "s" + options.seed() + ".p" + outcomes.size() + "-" + faultClass.id();
        int earlier = outcomes.stream()
                .filter(outcome -> outcome.faultClass() == faultClass)
                .mapToInt(outcome -> outcome.faults().size() + outcome.missed())
                .sum();
        Phase.Outcome outcome = new Phase(stage, options, faultClass, prefix, stories, earlier).run(log);
        outcomes.add(outcome);
        PhaseFigures found = figures(outcome, stage.backends());
        figures.add(found);
        keptLogs.keepIfSlow(found, prefix, stage::logs);
        say(outcome.text());
    }

    private PhaseFigures figures(Phase.Outcome outcome, Backends backends) {
        return new Figures(
                        outcome, new Ledger(backends.ledger()), Phase.deadKeys(backends), stories, Stalls.read(stalls))
                .make();
    }

    private double seconds() {
        return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private void say(String what) {
        out.printf("%7.1f s  %s%n", seconds(), what);
    }

    /** Makes the final report. No worker runs any more, so messages that one still held are back in their queues. */
    private Report reckon(Backends backends, ClientLog log) {
        Map<String, Long> left = new TreeMap<>();
        for (Lane lane : options.store().lanes()) {
            left.put(lane.id(), Phase.left(backends, lane));
        }
        figures.clear();
        outcomes.forEach(outcome -> figures.add(figures(outcome, backends)));
        GrantComplaints ofGrants = new GrantComplaints(Grants.read(grants), new Ledger(backends.ledger()));
        List<String> complaints = outcomes.stream()
                .flatMap(outcome -> ofGrants.of(outcome).stream())
                .toList();
        return report(log, left, complaints, true);
    }

    private Report report(ClientLog log, Map<String, Long> left, List<String> complaints, boolean finished) {
        List<String> others = new ArrayList<>(complaints);
        breakdown.ifPresent(others::add);
        return notes.report(
                finished,
                others,
                seconds(),
                log.byStatus(),
                left,
                List.copyOf(figures),
                faults(),
                stallsByThemselves(),
                ReturnCosts.of(outcomes, Returns.read(grants.resolveSibling(Stage.RETURNS))),
                keptLogs.files(),
                found -> finished ? traces.keep(found) : List.of());
    }

    private List<FaultRecord> faults() {
        return outcomes.stream().flatMap(outcome -> outcome.faults().stream()).toList();
    }

    /** Returns the stalls of processes, without those that a fault caused by stopping a worker. */
    private Distribution stallsByThemselves() {
        List<FaultRecord> faults = faults();
        return Distribution.of(Stalls.read(stalls).all().stream()
                .filter(stall -> faults.stream().noneMatch(fault -> Harm.stops(fault, stall)))
                .mapToLong(Stall::millis));
    }
}
