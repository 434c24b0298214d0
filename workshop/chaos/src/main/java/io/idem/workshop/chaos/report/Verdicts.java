package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.Doubled;
import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.fault.FaultClass;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Compares a run's figures with the targets. Targets for times are reported but fail no run, because a machine may be
 * slow. Pure functions.
 */
public final class Verdicts {

    private static final int MESSAGES = 100_000;
    private static final int FAULTS = 500;
    private static final long OVERDUE_MILLIS = 1_000;
    private static final long REDIS_RECOVERY_MILLIS = 5_000;

    /**
     * Maximum time of a recovery of Kafka. A rebalance waits for members for up to the maximum poll interval, 20 s in
     * the laboratory.
     */
    private static final long KAFKA_RECOVERY_MILLIS = 30_000;

    /** Classes of faults after which Redis is back or reachable again. */
    private static final Set<FaultClass> REDIS_RETURNS = EnumSet.of(
            FaultClass.REDIS_RESTART,
            FaultClass.REDIS_FREEZE,
            FaultClass.BLACK_HOLE,
            FaultClass.REDIS_CUT,
            FaultClass.FULL,
            FaultClass.SLOW_SCRIPT,
            FaultClass.FAILOVER,
            FaultClass.CLUSTER_FAILOVER);

    private Verdicts() {}

    /** Returns the verdicts on all targets. */
    public static List<Verdict> of(List<PhaseFigures> phases) {
        List<LaneTotals> lanes = ClassTotals.lanes(phases);
        List<Verdict> verdicts = new ArrayList<>();
        for (LaneTotals lane : lanes) {
            verdicts.add(size(lane));
        }
        verdicts.add(none("lost", lanes, LaneTotals::lost));
        verdicts.add(none(
                "double with the inbox",
                lanes.stream().filter(lane -> lane.lane().inbox()).toList(),
                LaneTotals::doubled));
        if (lanes.stream().anyMatch(lane -> !lane.lane().inbox())) {
            verdicts.add(none("double with Redis alone for no declared cause", lanes, Verdicts::unexplained));
        }
        addSteps(phases.stream().map(PhaseFigures::steps).toList(), verdicts);
        ClassTotals.of(phases).forEach(each -> addTimes(each, verdicts));
        return List.copyOf(verdicts);
    }

    /** Returns whether Kafka was killed in a phase and a lane went on too late or not at all. */
    public static boolean missesKafkaRecovery(PhaseFigures phase) {
        return phase.faultClass() == FaultClass.KAFKA_RESTART
                && phase.lanes().stream()
                        .filter(lane -> lane.faults() > 0)
                        .map(LaneFigures::recovery)
                        .anyMatch(recovery -> recovery.count() == 0 || recovery.max() >= KAFKA_RECOVERY_MILLIS);
    }

    private static Verdict size(LaneTotals lane) {
        return new Verdict(
                lane.lane().id() + ": at least " + MESSAGES + " messages under " + FAULTS + " faults",
                lane.messages() + " under " + lane.faults(),
                lane.messages() >= MESSAGES && lane.faults() >= FAULTS);
    }

    private static int unexplained(LaneTotals lane) {
        return (int) lane.doubles().stream()
                .map(Doubled::cause)
                .filter(cause -> !cause.declared())
                .count();
    }

    private static Verdict none(String what, List<LaneTotals> lanes, ToIntFunction<LaneTotals> number) {
        int sum = lanes.stream().mapToInt(number).sum();
        return new Verdict(what + ": 0", Integer.toString(sum), sum == 0);
    }

    private static void addSteps(List<StepFinding> steps, List<Verdict> verdicts) {
        int all = steps.stream().mapToInt(StepFinding::steps).sum();
        if (all > 0) {
            verdicts.add(none("several keys of one step at the provider", all, steps, StepFinding::severalKeys));
            verdicts.add(none("begun again though remembered", all, steps, StepFinding::begunAgain));
            verdicts.add(
                    none("called more often than its attempts ended inside", all, steps, StepFinding::calledTooOften));
            verdicts.add(none("landed again though reconciled", all, steps, StepFinding::landedAgain));
            verdicts.add(none("returned another result", all, steps, StepFinding::otherResults));
        }
    }

    private static Verdict none(
            String what, int all, List<StepFinding> steps, Function<StepFinding, List<String>> which) {
        int sum = steps.stream().map(which).mapToInt(List::size).sum();
        return new Verdict("steps " + what + ": 0", sum + " of " + all, sum == 0);
    }

    private static void addTimes(ClassTotals totals, List<Verdict> verdicts) {
        for (boolean inbox : new boolean[] {true, false}) {
            Distribution overdue = totals.overdue(inbox);
            if (overdue.count() > 0) {
                verdicts.add(new Verdict(
                        totals.faultClass().id() + ", " + mode(inbox)
                                + ": takeover at most 1 s after the lease's end and the broker's redelivery (p99)",
                        overdue.p99() + " ms of " + overdue.count(),
                        overdue.p99() <= OVERDUE_MILLIS));
            }
        }
        if (REDIS_RETURNS.contains(totals.faultClass())) {
            addRecovery(totals, "Redis", REDIS_RECOVERY_MILLIS, verdicts);
        } else if (totals.faultClass() == FaultClass.KAFKA_RESTART) {
            addRecovery(totals, "Kafka", KAFKA_RECOVERY_MILLIS, verdicts);
        }
    }

    private static void addRecovery(ClassTotals totals, String server, long millis, List<Verdict> verdicts) {
        Distribution recovery = totals.recovery();
        if (recovery.count() > 0) {
            verdicts.add(new Verdict(
                    totals.faultClass().id() + ": next effect less than " + millis / 1_000 + " s after " + server
                            + " returns (longest)",
                    recovery.max() + " ms of " + recovery.count(),
                    recovery.max() < millis));
        }
    }

    static String mode(boolean inbox) {
        return inbox ? "inbox" : "Redis alone";
    }
}
