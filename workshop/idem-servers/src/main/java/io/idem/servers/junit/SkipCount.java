package io.idem.servers.junit;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the tests that a JUnit run skipped, and logs the total when JUnit closes it at the end. */
final class SkipCount implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SkipCount.class);

    private final String server;
    private final AtomicInteger skipped = new AtomicInteger();

    SkipCount(String server) {
        this.server = server;
    }

    void increment() {
        skipped.incrementAndGet();
    }

    int sum() {
        return skipped.get();
    }

    @Override
    public void close() {
        LOG.warn("SKIPPED: {} tests or test classes for lack of a {}", sum(), server);
    }
}
