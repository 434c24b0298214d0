package io.idem.test.contract;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.test.ManualClock;
import java.time.Duration;

/** A harness for the reference store, on a clock of its own. */
public final class InMemoryStoreHarness implements StoreHarness {

    private final ManualClock clock = new ManualClock();
    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(clock);

    @Override
    public IdempotencyStore store() {
        return store;
    }

    /** Returns the clock that {@link #advance} moves; give it to an executor too. */
    public ManualClock clock() {
        return clock;
    }

    @Override
    public void advance(Duration by) {
        clock.advance(by);
    }

    @Override
    public String stored(RecordId record) {
        return store.inspect(record).map(RecordSnapshot::toString).orElse("");
    }

    @Override
    public void close() {
        store.close();
    }
}
