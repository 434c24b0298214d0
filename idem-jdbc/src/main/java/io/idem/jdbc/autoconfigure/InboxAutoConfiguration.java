package io.idem.jdbc.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.Inbox;
import io.idem.Outbox;
import io.idem.internal.spring.Cleaning;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.TenantDataSources;
import io.idem.jdbc.autoconfigure.InboxProperties.InitializeSchema;
import io.idem.jdbc.inbox.InboxRebuild;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.Tables;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.spi.RecordRestorer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;

/**
 * Auto-configuration of an inbox on the application's only data source and its transaction manager. Every bean backs
 * off for the user's own.
 */
@AutoConfiguration(
        afterName = {
            "io.idem.autoconfigure.IdemRedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnSwitch("idem.jdbc.enabled")
@ConditionalOnSingleCandidate(DataSource.class)
@EnableConfigurationProperties(InboxProperties.class)
final class InboxAutoConfiguration {

    /** The name of the cleaner, which is there unless the application declares one. */
    static final String CLEANER = "idemInboxCleaner";

    @Bean
    Databases idemDatabases(
            DataSource dataSource, ObjectProvider<TenantDataSources> tenants, InboxProperties properties) {
        return new Databases(dataSource, tenants.getIfAvailable(), properties);
    }

    /** Created for the first participant that asks for an inbox; without one, no table is needed. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    @DependsOnDatabaseInitialization
    InboxSchema idemInboxSchema(Databases databases, PlatformTransactionManager transactionManager) {
        List<InboxSchema> checked = databases.each("The check of the tables", tables -> {
            InboxSchema schema = new InboxSchema(
                    tables,
                    databases.tenants() == null
                            ? transactionManager
                            : new JdbcTransactionManager(SchemaDataSource.inside(tables)));
            if (databases.properties().forgetOldRows()) {
                schema = schema.forgettingOldRows();
            }
            if (databases.properties().initializeSchema() == InitializeSchema.ALWAYS) {
                schema.create();
            }
            schema.check();
            return schema;
        });
        if (checked.isEmpty()) {
            throw new ConfigurationException(
                    "TenantDataSources names no data source whose database answers",
                    "Let the bean of that type return one at least, and start its database.");
        }
        return checked.get(0);
    }

    /** Creates the table at start-up where that is configured, whether or not the inbox is used. */
    @Bean
    SmartInitializingSingleton idemInboxTables(ObjectProvider<InboxSchema> schema, InboxProperties properties) {
        return () -> {
            if (properties.initializeSchema() == InitializeSchema.ALWAYS) {
                schema.ifAvailable(created -> {});
            }
        };
    }

    /** Depends on the schema because that has checked the table. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean(Inbox.class)
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    JdbcInbox idemInbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            InboxSchema checked,
            Databases databases,
            ObjectProvider<InboxStore> store,
            ObjectProvider<PostgresRecords> records) {
        JdbcInbox only = new JdbcInbox(databases.properties().tablesIn(dataSource), transactionManager);
        JdbcInbox inbox = databases.tenants() == null ? only : only.chosenByCaller();
        InboxStore itself = store.getIfAvailable();
        if (itself != null) {
            return inbox.asStore(itself);
        }
        return records.stream()
                .filter(each -> each.areIn(dataSource))
                .findFirst()
                .map(each -> inbox.onRecordsOf(each.store()))
                .orElse(inbox);
    }

    /**
     * Refuses the inbox of an application that has only a reactive transaction manager, which keeps Spring Boot
     * from creating the other kind; the inbox would silently be missing otherwise.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean({PlatformTransactionManager.class, Inbox.class})
    @ConditionalOnBean(ReactiveTransactionManager.class)
    static class OnlyReactiveTransactions {

        @Bean
        @Lazy
        Inbox idemInbox() {
            throw new ConfigurationException(
                    "The inbox needs a PlatformTransactionManager, and the application has only a"
                            + " ReactiveTransactionManager: a reactive transaction is not bound to a thread, so the"
                            + " inbox row could not be part of it",
                    "Declare a transaction manager for the data source, for example a JdbcTransactionManager, and do"
                            + " guarded work with it; or let no listener and no route ask for an inbox.");
        }
    }

    /** Created lazily, because it is only needed after Redis has lost its records. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnBean(RecordRestorer.class)
    InboxRebuild idemInboxRebuild(
            DataSource dataSource,
            RecordRestorer store,
            InboxSchema checked,
            InboxProperties properties) {
        return new InboxRebuild(properties.tablesIn(dataSource), store);
    }

    @Bean(CLEANER)
    @Lazy
    @ConditionalOnMissingBean(name = CLEANER)
    RecordCleaner idemInboxCleaner(Databases databases) {
        databases.requireNamed();
        return new RecordCleaner(databases.properties().tablesIn(databases.chosen()));
    }

    /** Obtains the cleaner only once the inbox is used; until then no table is needed. */
    @Bean
    Cleaning idemInboxCleaning(
            @Qualifier(CLEANER) ObjectProvider<RecordCleaner> cleaner,
            ConfigurableListableBeanFactory beans,
            Databases databases,
            ObjectProvider<Pauses> pauses) {
        LongSupplier clean = databases.tenants() == null
                ? () -> cleaner.getObject().clean()
                : () ->
                        databases
                                .each(
                                        "The deletion of old rows",
                                        tables -> cleanTenant(tables, databases.properties()))
                                .stream()
                                .mapToLong(Long::longValue)
                                .sum();
        Duration pause = pauses.getIfAvailable(() -> Pauses.USUAL).inboxCleaning();
        return new Cleaning("inbox-rows", () -> inUse(beans) ? clean.getAsLong() : 0, pause, pause);
    }

    /** Refuses a tenant that came after the start beside rows of an earlier version. */
    private static long cleanTenant(DataSource tables, InboxProperties properties) {
        try {
            new Tables(tables, DatabaseProduct.dialect(tables), properties.forgetOldRows()).refuseOldRows();
        } catch (InboxSchemaException old) {
            throw new IllegalStateException(old.getMessage(), old);
        }
        return new RecordCleaner(tables).clean();
    }

    private static boolean inUse(ConfigurableListableBeanFactory beans) {
        return Stream.of(InboxSchema.class, Inbox.class, Outbox.class)
                .flatMap(type -> Arrays.stream(beans.getBeanNamesForType(type, false, false)))
                .anyMatch(beans::containsSingleton);
    }
}
