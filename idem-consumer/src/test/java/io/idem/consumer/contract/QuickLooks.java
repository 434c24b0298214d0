package io.idem.consumer.contract;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets all tests of this module look often for what they wait for, and for long: most of it is there in a few milliseconds, but not
 * on a machine that does much besides.
 */
public final class QuickLooks implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }
}
