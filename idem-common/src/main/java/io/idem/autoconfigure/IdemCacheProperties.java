package io.idem.autoconfigure;

import io.idem.cache.CacheSettings;
import io.idem.internal.spring.InvalidSettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings under {@code idem.cache}.
 *
 * @param enabled whether duplicates of settled work are answered from memory; needs Caffeine
 * @param maxWeight what the cached results may take together, roughly
 * @param ttl how long an answer is given again after it was read; another process's reopen is noticed no later than this
 */
@ConfigurationProperties("idem.cache")
record IdemCacheProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("16MB") DataSize maxWeight,
        @DefaultValue("10s") Duration ttl) {

    /** Returns the settings of the cache, checked against the retention of records. */
    CacheSettings settings(Duration retention) {
        if (ttl.compareTo(retention) > 0) {
            throw new InvalidSettingException(
                    "idem.cache.ttl",
                    ttl + " is longer than idem.retention " + retention + ": answers would outlive their records");
        }
        return InvalidSettingException.named("idem.cache.", () -> new CacheSettings(maxWeight.toBytes(), ttl));
    }
}
