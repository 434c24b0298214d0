package io.idem.jdbc.autoconfigure;

import io.idem.internal.spring.Repetition;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the cleaner at intervals while the application runs. */
final class Cleaning extends Repetition {

    private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);

    private final String what;
    private final LongSupplier cleaner;
    private final Duration pause;

    /** @param what names the deleted rows in logs */
    Cleaning(String what, LongSupplier cleaner, Duration pause) {
        super("idem-cleaner-of-" + what, pause, pause);
        this.what = what;
        this.cleaner = cleaner;
        this.pause = pause;
    }

    @Override
    protected void run() {
        try {
            long deleted = cleaner.getAsLong();
            LOG.debug("Deleted {} {} older than their retention", deleted, what);
        } catch (RuntimeException failure) {
            LOG.warn("Old {} could not be deleted; the next try follows in {}", what, pause, failure);
        }
    }
}
