package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.spi.IdempotencyStore;
import io.idem.spi.SettledRecordCache;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The setting that says where records are kept, in an application without idem-jdbc. */
class UnservedStoreTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class,
                    IdemRedisAutoConfiguration.class,
                    IdemUnservedStoreAutoConfiguration.class))
            .withPropertyValues("idem.redis.url=redis://127.0.0.1:1");

    @Test
    void redisIsTheDefaultAndMayBeNamed() {
        application.run(context -> assertThat(context).hasSingleBean(IdempotencyStore.class));
        application
                .withPropertyValues("idem.store=redis")
                .run(context -> assertThat(context)
                        .hasSingleBean(IdempotencyStore.class)
                        .doesNotHaveBean(SettledRecordCache.class));
    }

    @Test
    void postgresWithoutItsModuleIsRefused() {
        application
                .withPropertyValues("idem.store=postgresql-with-redis")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("idem.store: postgresql-with-redis needs the module idem-jdbc"));
    }

    @Test
    void zooKeeperWithoutItsModuleIsRefused() {
        application
                .withPropertyValues("idem.store=zookeeper")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("idem.store: zookeeper needs the module idem-zookeeper"));
    }

    @Test
    void anUnknownStoreIsRefused() {
        application
                .withPropertyValues("idem.store=oracle")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("oracle is not one of redis, postgresql, postgresql-with-redis"));
    }
}
