package io.idem.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.MonotonicClock;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.internal.operations.StoreCheck;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class IdemHealthTest {

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdemAutoConfiguration.class, IdemHealthAutoConfiguration.class));
    private final ApplicationContextRunner up = bare.withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new);
    private final ApplicationContextRunner down = bare.withBean(IdempotencyStore.class, Silent::new);

    @Test
    void itFollowsTheStore() {
        up.run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
        down.run(context -> {
            assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(health(context).getDetails())
                    .containsEntry("store", "DOWN")
                    .containsEntry("cause", "away");
        });
    }

    @Test
    void itSaysThatNothingIsGuarded() {
        up.withConfiguration(AutoConfigurations.of(IdemKillSwitchAutoConfiguration.class))
                .withPropertyValues("idem.enabled=false")
                .run(context -> assertThat(health(context).getDetails()).containsEntry("guarding", false));
    }

    @Test
    void itGoesWithASettingAndWithoutTheHealthEndpoint() {
        up.withPropertyValues("management.health.idem.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        up.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void theStoreIsAskedNoMoreThanOnceASecond() {
        AtomicLong nanos = new AtomicLong();
        Silent store = new Silent();
        StoreCheck check = new StoreCheck(store, nanos::get);

        assertThat(check.failure()).isPresent();
        assertThat(check.failure()).isPresent();
        assertThat(store.questions).hasValue(1);

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(check.failure()).isPresent();
        assertThat(store.questions).hasValue(2);
        assertThat(new StoreCheck(new InMemoryIdempotencyStore(), MonotonicClock.SYSTEM).failure())
                .isEmpty();
    }

    private static Health health(ApplicationContext context) {
        return requireNonNull(context.getBean(HealthIndicator.class).health());
    }

    private static final class Silent extends PerRequestStore {

        private final AtomicInteger questions = new AtomicInteger();

        Silent() {
            super(new InMemoryIdempotencyStore());
        }

        @Override
        public void check() {
            questions.incrementAndGet();
            throw new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());
        }
    }
}
