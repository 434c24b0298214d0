package io.idem.jdbc.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.jdbc.InboxCleaner;
import io.idem.jdbc.InboxRebuild;
import io.idem.jdbc.InboxSchema;
import io.idem.jdbc.JdbcInbox;
import io.idem.jdbc.autoconfigure.InboxProperties.InitializeSchema;
import io.idem.spi.Inbox;
import io.idem.spi.RecordRestorer;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;

/** An inbox on the application's one data source and its transaction manager; backs off for every bean a user defines. */
@AutoConfiguration(
        afterName = {
            "io.idem.autoconfigure.IdemRedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnProperty(name = "idem.jdbc.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(DataSource.class)
@EnableConfigurationProperties(InboxProperties.class)
final class InboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    @DependsOnDatabaseInitialization
    InboxSchema idemInboxSchema(
            DataSource dataSource, PlatformTransactionManager transactionManager, InboxProperties properties) {
        InboxSchema schema = new InboxSchema(dataSource, transactionManager);
        if (properties.initializeSchema() == InitializeSchema.ALWAYS) {
            schema.create();
        }
        schema.check();
        return schema;
    }

    /** Takes the schema as a sign that the table was checked. */
    @Bean
    @ConditionalOnMissingBean(Inbox.class)
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    JdbcInbox idemInbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            InboxSchema checked,
            InboxProperties properties) {
        JdbcInbox inbox = new JdbcInbox(dataSource, transactionManager);
        return properties.failOpen() ? inbox.decidingAlone() : inbox;
    }

    /** A reactive manager keeps Spring Boot from making the other kind, and the inbox would silently be missing. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean({PlatformTransactionManager.class, Inbox.class})
    @ConditionalOnBean(ReactiveTransactionManager.class)
    static class OnlyReactiveTransactions {

        @Bean
        SmartInitializingSingleton idemReactiveTransactionsRefusal() {
            return () -> {
                throw new RefusedSettingException(
                        "The inbox needs a PlatformTransactionManager, and the application has only a"
                                + " ReactiveTransactionManager: a reactive transaction is not bound to a thread, so the"
                                + " inbox row could not be part of it",
                        "Declare a transaction manager for the data source, for example a JdbcTransactionManager, and do"
                                + " guarded work with it; or set idem.jdbc.enabled=false to do without an inbox.");
            };
        }
    }

    /** Nobody needs it before Redis has lost its records. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnBean(RecordRestorer.class)
    InboxRebuild idemInboxRebuild(
            DataSource dataSource, RecordRestorer store, InboxSchema checked, ObjectProvider<ExecutionPolicy> policy) {
        return new InboxRebuild(
                dataSource,
                store,
                policy.getIfAvailable(ExecutionPolicy::defaults).retention());
    }

    @Bean
    @ConditionalOnMissingBean
    InboxCleaner idemInboxCleaner(DataSource dataSource, InboxProperties properties) {
        return new InboxCleaner(dataSource, properties.retention());
    }

    @Bean
    Cleaning idemInboxCleaning(InboxCleaner cleaner, InboxProperties properties) {
        return new Cleaning("inbox-rows", cleaner::clean, properties.cleanEvery());
    }
}
