package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Grants;
import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.check.Stalls;
import io.idem.workshop.chaos.check.Stories;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.load.ClientLog;
import io.idem.workshop.chaos.report.Complaints;
import io.idem.workshop.chaos.report.PhaseFigures;
import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.RedisSide;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Flaw;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.StoreKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs the intake and workers, with a flaw or unchanged, under some classes of faults, and collects the complaints of
 * the checkers.
 */
final class Trial {

    /** Maximum wait for the end of all work with a flaw. Short, because lost messages never arrive. */
    private static final Duration FLAWED_WITHIN = Duration.ofSeconds(10);

    private static final Duration SOUND_WITHIN = Duration.ofMinutes(2);
    private static final String STUCK = "stuck: ";
    private static final String LOST = "lost";
    private static final String HARNESS = "harness: ";

    private final ChaosOptions options;
    private final Backends backends;
    private final Flaw flaw;
    private final Path grants;
    private final Stories stories;

    /**
     * The result of a trial.
     *
     * @param complaints complaints of the checkers; without those about stuck work for a flaw that was not waited for
     * @param seconds duration of the load
     */
    record Verdict(List<String> complaints, double seconds) {}

    Trial(ChaosOptions options, Backends backends, Flaw flaw) {
        this.options = options;
        this.backends = backends;
        this.flaw = flaw;
        this.grants = options.output().resolve("grants-" + flaw.id() + ".log").toAbsolutePath();
        this.stories = new Stories(grants.resolveSibling(Stage.STORIES));
    }

    Verdict run(List<Exam> exams) {
        try (ClientLog log = new ClientLog(options.output().resolve("clients-" + flaw.id() + ".jsonl"))) {
            Files.deleteIfExists(grants);
            List<Phase.Outcome> outcomes = new ArrayList<>();
            try (Stage stage = new Stage(backends, RedisSide.Single.start(), grants, flaw)) {
                exams.forEach(exam -> outcomes.add(phase(stage, exam).run(log)));
            }
            return new Verdict(
                    complaints(outcomes),
                    outcomes.stream().mapToDouble(Phase.Outcome::seconds).sum());
        } catch (IOException e) {
            throw new UncheckedIOException("An earlier log of grants cannot be deleted", e);
        }
    }

    private Phase phase(Stage stage, Exam exam) {
        FaultClass faultClass = exam.faultClass();
        return new Phase(
                stage,
                exam.sized(options),
                faultClass,
                "s" + options.seed() + "." + flaw.id() + "-" + faultClass.id(),
                stories,
                0,
                flaw == Flaw.NONE ? SOUND_WITHIN : FLAWED_WITHIN);
    }

    /** Returns the complaints of the checkers. No worker runs any more, as at the end of a campaign. */
    private List<String> complaints(List<Phase.Outcome> outcomes) {
        Map<String, Long> left = new TreeMap<>();
        for (Lane lane : StoreKind.REDIS.lanes()) {
            left.put(lane.id(), Phase.left(backends, lane));
        }
        List<String> dead = Phase.deadKeys(backends);
        Ledger ledger = new Ledger(backends.ledger());
        Grants granted = Grants.read(grants);
        Stalls stalls = Stalls.read(grants.resolveSibling(Stage.STALLS));
        List<PhaseFigures> figures = outcomes.stream()
                .map(outcome -> new Figures(outcome, ledger, dead, stories, stalls).make())
                .toList();
        List<String> complaints = new ArrayList<>(Complaints.of(figures, left));
        GrantComplaints ofGrants = new GrantComplaints(granted, ledger);
        outcomes.forEach(outcome -> complaints.addAll(ofGrants.of(outcome)));
        complaints.removeIf(complaint -> flaw != Flaw.NONE && !proves(complaint, left));
        return List.copyOf(complaints);
    }

    /**
     * Returns whether a complaint proves the flaw. Failures of the laboratory and messages that are still in a lane's
     * queue do not.
     */
    private static boolean proves(String complaint, Map<String, Long> left) {
        if (complaint.startsWith(STUCK) || complaint.startsWith(HARNESS)) {
            return false;
        }
        return !complaint.startsWith(LOST)
                || left.entrySet().stream()
                        .noneMatch(lane -> lane.getValue() != 0 && complaint.contains(", " + lane.getKey() + ")"));
    }
}
