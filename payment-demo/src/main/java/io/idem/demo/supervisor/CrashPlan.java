package io.idem.demo.supervisor;

import io.idem.demo.story.StoryPlan;
import io.idem.demo.watch.WorkerEvent.What;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** When workers are killed in a story: always while they hold a grant that they have not settled. */
final class CrashPlan {

    private static final int SHORTEST_MILLIS = 50;
    private static final int LONGEST_MILLIS = 900;

    private CrashPlan() {}

    static List<CrashPoint> of(StoryPlan plan, long seed) {
        Random random = new Random(seed);
        return List.of(
                new CrashPoint("at work on a payment", plan.slowPayment(), What.GRANTED, delay(random)),
                new CrashPoint(
                        "after the commit of a payment, before it was marked COMPLETED",
                        plan.heldPayment(),
                        What.COMMITTED,
                        Duration.ZERO),
                new CrashPoint("at work on a payout", plan.slowPayout(), What.GRANTED, delay(random)));
    }

    /** Shorter than the slow bank takes. */
    private static Duration delay(Random random) {
        return Duration.ofMillis(random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS));
    }
}
