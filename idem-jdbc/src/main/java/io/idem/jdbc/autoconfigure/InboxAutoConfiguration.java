package io.idem.jdbc.autoconfigure;

import io.idem.jdbc.InboxCleaner;
import io.idem.jdbc.InboxSchema;
import io.idem.jdbc.JdbcInbox;
import io.idem.jdbc.autoconfigure.InboxProperties.InitializeSchema;
import io.idem.spi.Inbox;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** An inbox on the application's one data source and its transaction manager; backs off for every bean a user defines. */
@AutoConfiguration(
        afterName = {
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
    JdbcInbox idemInbox(DataSource dataSource, PlatformTransactionManager transactionManager, InboxSchema checked) {
        return new JdbcInbox(dataSource, transactionManager);
    }

    @Bean
    @ConditionalOnMissingBean
    InboxCleaner idemInboxCleaner(DataSource dataSource, InboxProperties properties) {
        return new InboxCleaner(dataSource, properties.retention());
    }

    @Bean
    InboxCleaning idemInboxCleaning(InboxCleaner cleaner, InboxProperties properties) {
        return new InboxCleaning(cleaner, properties.cleanEvery());
    }
}
