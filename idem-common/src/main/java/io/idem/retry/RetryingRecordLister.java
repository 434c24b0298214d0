package io.idem.retry;

import io.idem.MonotonicClock;
import io.idem.spi.RecordLister;

/**
 * Lister that repeats what ended in {@link io.idem.StoreUnavailableException} until the budget is used up. Closing closes the other
 * one too. Thread-safe if that is; the caller waits between the tries.
 */
record RetryingRecordLister(RecordLister lister, RetrySettings settings) implements RecordLister {

    @Override
    public Page list(String cursor, int most) {
        return settings.repetition(settings.budget(MonotonicClock.SYSTEM)).run(() -> lister.list(cursor, most));
    }

    @Override
    public void close() {
        lister.close();
    }
}
