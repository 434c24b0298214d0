package io.idem.gateway.service.internal.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.idem.gateway.service.limits.RateLimit;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of permits for each tenant, in the memory of this process: each instance of a service counts for itself. A
 * tenant whose bucket is full again is removed; of more than 100,000 others, the one that was quiet longest.
 * Thread-safe.
 */
public final class TokenBuckets implements RateLimit {

    private static final int MOST = 100_000;

    private final @Nullable Rate everybody;
    private final Map<String, Rate> tenants;
    private final LongSupplier nanos;
    private final Cache<String, Bucket> buckets;

    /**
     * Creates the buckets.
     *
     * @param everybody the rate of tenants that have none of their own; null for no limit
     * @param tenants the rates of some tenants
     * @param nanos a clock like {@link System#nanoTime}
     */
    public TokenBuckets(@Nullable Rate everybody, Map<String, Rate> tenants, LongSupplier nanos) {
        this.everybody = everybody;
        this.tenants = Map.copyOf(tenants);
        this.nanos = nanos;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(MOST)
                .ticker(nanos::getAsLong)
                .expireAfter(Expiry.<String, Bucket>accessing((tenant, bucket) -> recovery(tenant)))
                .build();
    }

    @Override
    public Optional<Duration> take(String tenant) {
        Rate rate = rate(tenant);
        if (rate == null) {
            return Optional.empty();
        }
        ConsumptionProbe probe = buckets.get(tenant, added -> bucket(rate)).tryConsumeAndReturnRemaining(1);
        return probe.isConsumed() ? Optional.empty() : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    private @Nullable Rate rate(String tenant) {
        Rate own = tenants.get(tenant);
        return own == null ? everybody : own;
    }

    private Duration recovery(String tenant) {
        Rate rate = rate(tenant);
        return rate == null ? Duration.ZERO : rate.recovery();
    }

    private Bucket bucket(Rate rate) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(rate.burst()).refillGreedy(rate.requests(), rate.per()))
                .withCustomTimePrecision(new Clock(nanos))
                .build();
    }

    /** The clock that the buckets share with the cache. */
    private record Clock(LongSupplier nanos) implements TimeMeter {

        @Override
        public long currentTimeNanos() {
            return nanos.getAsLong();
        }

        /** Returns false, because the clock has no relation to the time of day. */
        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }
}
