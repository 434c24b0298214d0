package io.idem.jdbc.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.cache.ReadThroughIdempotencyStore;
import io.idem.internal.WaitingThreads;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.SettledRecordCache;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.jdbc.metadata.AbstractDataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Tag("servers")
class StoreAutoConfigurationTest {

    private final TestDatabase database = new TestDatabase();
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
            .withBean(ExecutionPolicy.class, ExecutionPolicy::defaults)
            .withPropertyValues("idem.postgresql.initialize-schema=always", "idem.store=postgresql");
    private final ApplicationContextRunner application = bare.withBean(DataSource.class, database::dataSource);

    @AfterEach
    void close() {
        database.close();
    }

    private static String refusal(@Nullable Throwable failure) {
        ConfigurationException refused = FailurePolicy.causes(requireNonNull(failure))
                .filter(ConfigurationException.class::isInstance)
                .map(ConfigurationException.class::cast)
                .findFirst()
                .orElseThrow();
        return refused.getMessage() + refused.action();
    }

    @Test
    void postgresIsTheStoreWhereItIsAskedFor() {
        application.run(context ->
                assertThat(context).hasSingleBean(IdempotencyStore.class).hasSingleBean(RecordCleaner.class));
    }

    @Test
    void itsThreadsAreHalfOfThePool() {
        DataSourcePoolMetadataProvider pools = dataSource -> new AbstractDataSourcePoolMetadata<>(dataSource) {

            @Override
            public Integer getActive() {
                return 0;
            }

            @Override
            public Integer getMax() {
                return 16;
            }

            @Override
            public Integer getMin() {
                return 0;
            }

            @Override
            public String getValidationQuery() {
                return "";
            }

            @Override
            public Boolean getDefaultAutoCommit() {
                return true;
            }
        };
        application.run(context ->
                assertThat(context.getBean(WaitingThreads.class).size()).isEqualTo(4));
        application
                .withBean(DataSourcePoolMetadataProvider.class, () -> pools)
                .run(context ->
                        assertThat(context.getBean(WaitingThreads.class).size()).isEqualTo(8));
    }

    @Test
    void theApplicationKeepsSpringBootsTaskExecutor() {
        application
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .run(context -> assertThat(context).hasBean("applicationTaskExecutor"));
    }

    @Test
    void operatorsCanListItsRecords() {
        application.run(
                context -> assertThat(context.getBean(RecordLister.class).list(RecordLister.START, 10))
                        .isEqualTo(new RecordLister.Page(List.of(), RecordLister.START)));
    }

    @Test
    void itIsNotUnlessItIsAskedFor() {
        application
                .withPropertyValues("idem.store=redis")
                .run(context -> assertThat(context).doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void itBacksOffForAStoreOfTheUsers() {
        application
                .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
                .run(context -> assertThat(context.getBean(IdempotencyStore.class))
                        .isInstanceOf(InMemoryIdempotencyStore.class));
    }

    @Test
    void aFrontStandsBeforeItWhereThereIsOne() {
        application
                .withPropertyValues("idem.store=postgresql-with-redis")
                .withBean(SettledRecordCache.class, NoFront::new)
                .run(context -> assertThat(context.getBean(IdempotencyStore.class))
                        .isInstanceOf(RetryingIdempotencyStore.class)
                        .extracting("store")
                        .isInstanceOf(ReadThroughIdempotencyStore.class));
    }

    @Test
    void copiesInRedisWithoutLettuceAreRefusedByName() {
        application
                .withPropertyValues("idem.store=postgresql-with-redis")
                .withClassLoader(new FilteredClassLoader("io.lettuce"))
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("idem.store=postgresql-with-redis", "SettledRecordCache", "io.lettuce:lettuce-core"));
    }

    @Test
    void aMissingDataSourceIsNamed() {
        bare.run(context -> assertThat(refusal(context.getStartupFailure()))
                .contains("no data sources", "spring.datasource.url", "idem.store=redis"));
    }

    @Test
    void ofSeveralDataSourcesTheOneForIdemIsTaken() {
        TestDatabase another = new TestDatabase();
        ApplicationContextRunner two = application.withBean("reports", DataSource.class, another::dataSource);
        two.run(context -> assertThat(refusal(context.getStartupFailure())).contains("several", "idemDataSource"));

        two.withBean("idemDataSource", DataSource.class, another::dataSource)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(another.count("SELECT count(*) FROM idem_record")).isZero();
        another.close();
    }

    @Test
    void aMissingTableIsNamed() {
        application
                .withPropertyValues("idem.postgresql.initialize-schema=never")
                .run(context -> assertThat(context).getFailure().rootCause().hasStackTraceContaining("idem_record"));
        application
                .withPropertyValues("idem.postgresql.initialize-schema=never")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining(InboxSchemaException.class.getName()));
    }

    @Test
    void aTimeoutThatEatsTheLeaseIsRefused() {
        application
                .withPropertyValues("idem.postgresql.statement-timeout=10s")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("idem.postgresql.statement-timeout", "1/6 of idem.lease"));
    }

    private static final class NoFront implements SettledRecordCache {

        @Override
        public Optional<RecordSnapshot> find(RecordId record) {
            return Optional.empty();
        }

        @Override
        public void offer(RecordId record, RecordSnapshot settled, Duration atMost) {}

        @Override
        public void withdraw(RecordId record, long fence, Duration remembered) {}

        @Override
        public void close() {}
    }
}
