package io.idem.test.cache;

import io.idem.RecordId;
import io.idem.cache.CacheSettings;
import io.idem.cache.CachingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.test.ManualClock;
import io.idem.test.contract.StoreHarness;
import java.time.Duration;

/** A near cache in front of a store under test, on whose time it counts. */
final class CachedHarness implements StoreHarness {

    private final StoreHarness behind;
    private final ManualClock clock = new ManualClock();
    private final CachingIdempotencyStore store;

    CachedHarness(StoreHarness behind) {
        this.behind = behind;
        this.store = new CachingIdempotencyStore(behind.store(), CacheSettings.defaults(), clock);
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }

    @Override
    public void advance(Duration by) {
        behind.advance(by);
        clock.advance(by);
    }

    @Override
    public String stored(RecordId record) {
        return behind.stored(record);
    }

    @Override
    public void close() {
        behind.close();
    }
}
