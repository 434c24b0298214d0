package io.idem.autoconfigure;

import io.idem.Inbox;
import io.idem.internal.operations.StoreCheck;
import io.idem.spi.IdempotencyStore;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
    HealthIndicator idemHealthIndicator(
            IdempotencyStore store, StoreCheck check, ConfigurableListableBeanFactory beans) {
        return new IdemHealth(store, check, () -> inUse(beans));
    }

    /**
     * Returns the inboxes that have been created. An inbox that is not used may have no table, and a health check must
     * not create it.
     */
    private static Stream<Inbox> inUse(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanNamesForType(Inbox.class, false, false))
                .filter(beans::containsSingleton)
                .map(name -> beans.getBean(name, Inbox.class));
    }

    /** Reports whether guarded work runs: if the store answers, or if an inbox fails open. Thread-safe. */
    private static final class IdemHealth implements HealthIndicator {

        private final IdempotencyStore store;
        private final StoreCheck check;
        private final Supplier<Stream<Inbox>> inboxes;

        IdemHealth(IdempotencyStore store, StoreCheck check, Supplier<Stream<Inbox>> inboxes) {
            this.store = store;
            this.check = check;
            this.inboxes = inboxes;
        }

        @Override
        public Health health() {
            boolean answers = check.failure().isEmpty();
            boolean failsOpen = inboxes.get().anyMatch(Inbox::failsOpen);
            Health.Builder health = answers || failsOpen ? Health.up() : Health.outOfService();
            return health.withDetail("store", (answers ? Status.UP : Status.DOWN).getCode())
                    .withDetail("guarding", !(store instanceof UnguardedStore))
                    .withDetail("withoutStore", failsOpen ? "fail-open" : "fail-closed")
                    .build();
        }
    }
}
