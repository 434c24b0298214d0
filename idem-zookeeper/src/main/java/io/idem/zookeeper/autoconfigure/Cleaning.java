package io.idem.zookeeper.autoconfigure;

import io.idem.internal.spring.Repetition;
import io.idem.zookeeper.ZooKeeperRecordCleaner;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the cleaner some minutes after the start and then every hour while the application runs. Of several instances the
 * first one in an hour cleans.
 */
final class Cleaning extends Repetition {

    private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);
    private static final Duration PAUSE = Duration.ofHours(1);

    /** Short, so that instances that seldom live for an hour clean, too. */
    private static final Duration FIRST = Duration.ofMinutes(5);

    /** Shorter than the pause, so that the same instance finds its turn again. */
    private static final Duration NOT_WITHIN = Duration.ofMinutes(50);

    private final ZooKeeperRecordCleaner cleaner;

    Cleaning(ZooKeeperRecordCleaner cleaner) {
        super("idem-cleaner-of-records", FIRST, PAUSE);
        this.cleaner = cleaner;
    }

    @Override
    protected void run() {
        try {
            LOG.debug("Deleted {} records whose retention is over", cleaner.clean(NOT_WITHIN));
        } catch (RuntimeException failure) {
            if (isRunning()) {
                LOG.warn("Old records could not be deleted; the next try follows in {}", PAUSE, failure);
            }
        }
    }
}
