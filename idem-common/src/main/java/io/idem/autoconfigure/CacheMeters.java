package io.idem.autoconfigure;

import io.idem.cache.CachingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Meters of the near cache, if the store has one in front of it. */
final class CacheMeters implements SmartInitializingSingleton {

    private final ObjectProvider<IdempotencyStore> store;
    private final MeterRegistry registry;

    CacheMeters(ObjectProvider<IdempotencyStore> store, MeterRegistry registry) {
        this.store = store;
        this.registry = registry;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (store.getIfAvailable() instanceof CachingIdempotencyStore cache) {
            register(cache, "hit", CachingIdempotencyStore::hits);
            register(cache, "miss", CachingIdempotencyStore::misses);
        }
    }

    private void register(
            CachingIdempotencyStore cache, String result, ToDoubleFunction<CachingIdempotencyStore> count) {
        FunctionCounter.builder("idem.cache.requests", cache, count)
                .description("What the near cache was asked")
                .tag("result", result)
                .register(registry);
    }
}
