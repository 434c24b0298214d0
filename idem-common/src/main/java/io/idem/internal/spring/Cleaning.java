package io.idem.internal.spring;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a cleaner at intervals while the application runs. */
public final class Cleaning extends Repetition {

    private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);

    private final String what;
    private final LongSupplier cleaner;
    private final Duration pause;

    /**
     * Creates a repetition, which does not start yet.
     *
     * @param what names what is deleted in logs
     * @param first the time until the first call
     * @param pause the time between two calls
     */
    public Cleaning(String what, LongSupplier cleaner, Duration first, Duration pause) {
        super("idem-cleaner-of-" + what, first, pause);
        this.what = what;
        this.cleaner = cleaner;
        this.pause = pause;
    }

    @Override
    protected void run() {
        try {
            LOG.debug("Deleted {} {} older than their retention", cleaner.getAsLong(), what);
        } catch (RuntimeException failure) {
            if (isRunning()) {
                LOG.warn("Old {} could not be deleted; the next try follows in {}", what, pause, failure);
            }
        }
    }
}
