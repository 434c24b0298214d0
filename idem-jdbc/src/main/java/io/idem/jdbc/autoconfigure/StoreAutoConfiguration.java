package io.idem.jdbc.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.cache.ReadThroughIdempotencyStore;
import io.idem.internal.WaitingThreads;
import io.idem.internal.spring.Cleaning;
import io.idem.internal.spring.OnStore;
import io.idem.jdbc.autoconfigure.InboxProperties.InitializeSchema;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.PostgresRecordLister;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.jdbc.store.RecordSchema;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.SettledRecordCache;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the store on the application's PostgreSQL, with or without Redis in front. Backs off for the
 * user's own store.
 */
@AutoConfiguration(
        beforeName = "io.idem.autoconfigure.IdemAutoConfiguration",
        afterName = {
            "io.idem.autoconfigure.IdemRedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@Conditional(OnPostgresStore.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
@EnableConfigurationProperties({StoreProperties.class, InboxProperties.class})
final class StoreAutoConfiguration {

    /** The name of the cleaner of the store, whose data source may be another one than that of the inbox. */
    private static final String CLEANER = "idemRecordCleaner";

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    RecordSchema idemRecordSchema(ListableBeanFactory beans, StoreProperties properties) {
        RecordSchema schema = new RecordSchema(StoreDataSource.in(beans));
        if (beans.getBean(InboxProperties.class).forgetOldRows()) {
            schema = schema.forgettingOldRows();
        }
        if (properties.initializeSchema() == InitializeSchema.ALWAYS) {
            schema.create();
        }
        schema.check();
        return schema;
    }

    /** Depends on the schema because that has checked the tables. */
    @Bean
    PostgresRecords idemPostgresRecords(
            ListableBeanFactory beans,
            RecordSchema checked,
            WaitingThreads threads,
            ExecutionPolicy policy,
            StoreProperties properties) {
        PostgresIdempotencyStore store = new PostgresIdempotencyStore(
                StoreDataSource.in(beans), properties.statementTimeout(policy.lease()), threads::execute);
        return new PostgresRecords(store, StoreDataSource.withoutSchema(beans));
    }

    @Bean
    IdempotencyStore idemStore(
            PostgresRecords records,
            ExecutionPolicy policy,
            StoreProperties properties,
            ObjectProvider<SettledRecordCache> cache,
            Environment environment) {
        PostgresIdempotencyStore truth = records.store();
        SettledRecordCache available = cache.getIfAvailable();
        if (available == null) {
            OnStore.requireNoCopies(environment);
        }
        IdempotencyStore store =
                available == null ? truth : new ReadThroughIdempotencyStore(truth, available, properties.copyLife());
        return new RetryingIdempotencyStore(store, RetrySettings.within(properties.retryBudget(policy.lease())));
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    RecordLister idemRecordLister(
            ListableBeanFactory beans, RecordSchema checked, ExecutionPolicy policy, StoreProperties properties) {
        return new PostgresRecordLister(StoreDataSource.in(beans), properties.statementTimeout(policy.lease()));
    }

    /** As many threads as half of the connections, so that callers that wait for the database themselves find one too; four if their number is not known. */
    @Bean
    WaitingThreads idemStoreThreads(ListableBeanFactory beans, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(
                        pools.orderedStream().toList())
                .getDataSourcePoolMetadata(StoreDataSource.withoutSchema(beans));
        Integer connections = pool == null ? null : pool.getMax();
        int threads = connections != null && connections > 0 ? Math.max(1, connections / 2) : 4;
        return new WaitingThreads("idem-postgresql", threads);
    }

    @Bean(CLEANER)
    @ConditionalOnMissingBean(name = CLEANER)
    RecordCleaner idemRecordCleaner(ListableBeanFactory beans, RecordSchema checked) {
        return new RecordCleaner(StoreDataSource.in(beans));
    }

    @Bean
    Cleaning idemRecordCleaning(@Qualifier(CLEANER) RecordCleaner cleaner, ObjectProvider<Pauses> pauses) {
        Duration pause = pauses.getIfAvailable(() -> Pauses.USUAL).recordCleaning();
        return new Cleaning("records", cleaner::clean, pause, pause);
    }
}
