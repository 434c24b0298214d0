package io.idem.workshop.process;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long everything may take: generous, because a busy machine has been seen to be eight times slower than an idle one. */
public final class Waiting {

    /** The patience of every wait. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(50);

    private Waiting() {}

    /** Begins a wait for what is described. */
    public static ConditionFactory waitUntil(String description) {
        return Awaitility.await(description)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL);
    }
}
