package io.idem.workshop.process;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits with a generous time limit, because a busy machine can be eight times slower than an idle one. */
public final class Waiting {

    /** The time limit of every wait. */
    public static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration POLL = Duration.ofMillis(50);

    private Waiting() {}

    /** Begins a wait for the described condition. */
    public static ConditionFactory waitUntil(String description) {
        return Awaitility.await(description)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL);
    }
}
