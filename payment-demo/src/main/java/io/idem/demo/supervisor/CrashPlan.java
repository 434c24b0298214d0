package io.idem.demo.supervisor;

import io.idem.demo.story.StoryPlan;
import io.idem.demo.watch.WorkerEvent.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The moments at which workers are killed, always while they hold a grant. */
final class CrashPlan {

    private static final String BEFORE_COMMIT = "after the charge of a payment, before the commit";
    private static final String AFTER_COMMIT = "after the commit of a payment, before it was marked COMPLETED";
    private static final int SHORTEST_MILLIS = 50;
    private static final int LONGEST_MILLIS = 900;

    private CrashPlan() {}

    static List<CrashPoint> of(StoryPlan plan, long seed) {
        Random random = new Random(seed);
        List<CrashPoint> points = new ArrayList<>();
        points.add(new CrashPoint("at work on a payment", plan.slowPayment(), What.GRANTED, delay(random)));
        points.add(new CrashPoint("at work on a payout", plan.slowPayout(), What.GRANTED, delay(random)));
        // A plan with few payments has no others to hold.
        if (!List.of(plan.slowPayment(), plan.heldPayment()).contains(plan.chargedPayment())) {
            points.add(new CrashPoint(BEFORE_COMMIT, plan.chargedPayment(), What.COMMITTING, Duration.ZERO));
        }
        if (!plan.heldPayment().equals(plan.slowPayment())) {
            points.add(new CrashPoint(AFTER_COMMIT, plan.heldPayment(), What.COMMITTED, Duration.ZERO));
        }
        return points;
    }

    /** Shorter than the slow bank takes. */
    private static Duration delay(Random random) {
        return Duration.ofMillis(random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS));
    }
}
