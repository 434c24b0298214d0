package io.idem.autoconfigure;

import io.idem.internal.operations.StoreCheck;
import io.idem.redis.UnsuitableRedisException;
import io.idem.spi.IdempotencyStore;
import java.util.Optional;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health contributor {@code idem}. Liveness does not include it, because a restart does not
 * bring a store back.
 */
@AutoConfiguration(after = {IdemAutoConfiguration.class, IdemRedisAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class IdemHealthAutoConfiguration {

    /** The setting {@code management.health.idem.enabled} is described in the additional metadata. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("idem")
    @ConditionalOnBean(StoreCheck.class)
    @ConditionalOnMissingBean(name = "idemHealthIndicator")
    HealthIndicator idemHealthIndicator(IdempotencyStore store, StoreCheck check) {
        return () -> health(store, check.failure());
    }

    /** Reports whether guarded work runs. */
    private static Health health(IdempotencyStore store, Optional<RuntimeException> failure) {
        // A store that must not be used is not one that does not answer, or takes no work.
        Health.Builder health = failure.map(why ->
                        why.getCause() instanceof UnsuitableRedisException ? Health.down() : Health.outOfService())
                .orElseGet(Health::up);
        failure.ifPresent(why -> health.withDetail("cause", String.valueOf(why.getMessage())));
        return health.withDetail("store", (failure.isEmpty() ? Status.UP : Status.DOWN).getCode())
                .withDetail("guarding", !(store instanceof UnguardedStore))
                .build();
    }
}
