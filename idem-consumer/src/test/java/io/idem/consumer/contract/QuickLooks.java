package io.idem.consumer.contract;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets all tests of this module look soon for what they wait for, for most of it is there in a few milliseconds; then ever more seldom,
 * for looking must not keep a busy machine from getting there.
 */
public final class QuickLooks implements BeforeAllCallback {

    private static final Duration FIRST = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofMillis(400);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(new IterativePollInterval(QuickLooks::longer, FIRST));
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    }

    private static Duration longer(Duration last) {
        Duration next = last.multipliedBy(5).dividedBy(4);
        return next.compareTo(LONGEST) < 0 ? next : LONGEST;
    }
}
