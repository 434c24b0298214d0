package io.idem.e2e.chaos;

import io.idem.e2e.chaos.check.Grants;
import io.idem.e2e.chaos.check.Ledger;
import io.idem.e2e.chaos.fault.FaultClass;
import io.idem.e2e.chaos.fault.FaultClass.Redis;
import io.idem.e2e.chaos.fault.FaultRecord;
import io.idem.e2e.chaos.load.ClientLog;
import io.idem.e2e.chaos.report.Complaints;
import io.idem.e2e.chaos.report.PhaseFigures;
import io.idem.e2e.chaos.report.Report;
import io.idem.e2e.chaos.stage.Backends;
import io.idem.e2e.chaos.stage.RedisSide;
import io.idem.e2e.chaos.stage.Stage;
import io.idem.e2e.chaos.worker.Lane;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** A run: phase after phase, and the reckoning when all is over. */
final class Campaign {

    private final ChaosOptions options;
    private final String command;
    private final PrintStream out;
    private final long start = System.nanoTime();
    private final Path grants;
    private final List<Phase.Outcome> outcomes = new ArrayList<>();
    private final List<String> versions = new ArrayList<>();
    private Optional<String> breakdown = Optional.empty();

    Campaign(ChaosOptions options, String command, PrintStream out) {
        this.options = options;
        this.command = command;
        this.out = out;
        this.grants = options.output().resolve("grants.log").toAbsolutePath();
    }

    Report run() {
        try (ClientLog log = new ClientLog(options.output().resolve("clients.jsonl"));
                Backends backends = new Backends()) {
            versions.addAll(backends.versions());
            for (Redis redis : Redis.values()) {
                List<FaultClass> classes = options.classes().stream()
                        .filter(each ->
                                each.redis() == redis && each.hindrance().isEmpty())
                        .toList();
                if (!classes.isEmpty()) {
                    run(classes, backends, redis, log);
                }
            }
            return reckon(backends, log);
        }
    }

    private void run(List<FaultClass> classes, Backends backends, Redis redis, ClientLog log) {
        RedisSide side = redis == Redis.SINGLE ? RedisSide.Single.start() : RedisSide.Guarded.start();
        versions.add(side.version());
        say("starting intake and workers");
        try (Stage stage = new Stage(backends, side, grants, options.flaw())) {
            do {
                classes.forEach(each -> tryToRun(each, stage, log));
            } while (options.minutes().isPresent()
                    && minutes() < options.minutes().getAsInt());
        }
    }

    /** What breaks the harness ends the run, and is told with what was found until then. */
    private void tryToRun(FaultClass faultClass, Stage stage, ClientLog log) {
        if (breakdown.isPresent()) {
            return;
        }
        try {
            run(faultClass, stage, log);
        } catch (RuntimeException broken) {
            LoggerFactory.getLogger(Campaign.class).error("{} broke down", faultClass.id(), broken);
            breakdown = Optional.of("harness: " + faultClass.id() + " broke down: " + broken);
            say(breakdown.get());
        }
    }

    private void run(FaultClass faultClass, Stage stage, ClientLog log) {
        int number = outcomes.size();
        String prefix = "s" + options.seed() + ".p" + number + "-" + faultClass.id();
        Phase phase = new Phase(stage, options, faultClass, prefix, options.seed() * 1_000_003 + number);
        Phase.Outcome outcome = phase.run(log);
        outcomes.add(outcome);
        say(String.format(
                "%s: %d messages, %d faults (%d missed) in %.0f s, drained in %d ms%s",
                faultClass.id(),
                outcome.promises().size(),
                outcome.faults().size(),
                outcome.missed(),
                outcome.seconds(),
                outcome.drainMillis(),
                outcome.drained() ? "" : ", NOT QUIET"));
    }

    private double minutes() {
        return seconds() / TimeUnit.MINUTES.toSeconds(1);
    }

    private double seconds() {
        return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private void say(String what) {
        out.printf("%7.1f s  %s%n", seconds(), what);
    }

    /** When no worker runs any more, so that what one still held is in its queue again. */
    private Report reckon(Backends backends, ClientLog log) {
        Map<String, Long> left = new TreeMap<>();
        for (Lane lane : Lane.values()) {
            left.put(lane.id(), Phase.left(backends, lane));
        }
        List<String> dead = Phase.deadKeys(backends);
        Ledger ledger = new Ledger(backends.ledger());
        Grants granted = Grants.read(grants);
        List<PhaseFigures> phases = outcomes.stream()
                .map(outcome -> new Figures(outcome, ledger.rows(outcome.prefix() + "."), dead, granted).make())
                .toList();
        List<FaultRecord> faults =
                outcomes.stream().flatMap(outcome -> outcome.faults().stream()).toList();
        List<String> complaints = new ArrayList<>(Complaints.of(phases, left));
        GrantComplaints ofGrants = new GrantComplaints(granted, ledger);
        outcomes.forEach(outcome -> complaints.addAll(ofGrants.of(outcome)));
        breakdown.ifPresent(complaints::add);
        return new Report(
                complaints.isEmpty(),
                complaints,
                command,
                options.seed(),
                options.flaw().name(),
                seconds(),
                Stage.LEASE.toMillis(),
                Backends.KAFKA_SESSION.toMillis(),
                versions,
                options.classes().stream()
                        .flatMap(each -> each.hindrance().stream())
                        .toList(),
                log.byStatus(),
                left,
                phases,
                faults);
    }
}
