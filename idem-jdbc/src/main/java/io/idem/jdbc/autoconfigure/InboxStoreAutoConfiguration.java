package io.idem.jdbc.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.Inbox;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.spi.IdempotencyStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration of the inbox as the only store. Backs off for an {@link InboxStore} of the application, and for any
 * other store, which the engine refuses.
 */
@AutoConfiguration(after = InboxAutoConfiguration.class, beforeName = "io.idem.autoconfigure.IdemAutoConfiguration")
@ConditionalOnProperty(name = "idem.store", havingValue = "inbox")
@ConditionalOnSwitch("idem.enabled")
@EnableConfigurationProperties(InboxProperties.class)
final class InboxStoreAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(IdempotencyStore.class)
    InboxStore idemStore(
            ListableBeanFactory beans,
            ObjectProvider<InboxSchema> checked,
            ObjectProvider<Databases> databases,
            Environment environment) {
        OtherStoreSettings.refuse(environment);
        InboxParts parts = new InboxParts(beans);
        parts.requireOnly(
                DataSource.class, "set spring.datasource.url and add the driver of a PostgreSQL, MariaDB or MySQL");
        parts.requireOnly(
                PlatformTransactionManager.class,
                "declare one for the data source, for example a JdbcTransactionManager");
        checked.getObject().checkAsStore();
        databases.getObject().requireDefault();
        return new InboxStore(databases.getObject().properties().tablesIn(beans.getBean(DataSource.class)));
    }

    /** Refuses an inbox of the application that promises to keep rows for longer than the cleaner of idem does. */
    @Bean
    @ConditionalOnBean(name = InboxAutoConfiguration.CLEANER)
    SmartInitializingSingleton idemInboxRetentionCheck(ObjectProvider<Inbox> inboxes, InboxProperties properties) {
        return () -> {
            Inbox inbox = inboxes.getIfAvailable();
            if (inbox != null && inbox.retention().compareTo(properties.retention()) > 0) {
                throw new ConfigurationException(
                        "The application's own inbox, " + inbox.getClass().getSimpleName()
                                + ", promises to keep its rows for longer than idem's cleaner does: for"
                                + " idem.jdbc.retention, which is " + properties.retention(),
                        "Return new JdbcInbox(...).asStore(store).keepingRowsFor(retention) from that bean with at most"
                                + " that retention, set idem.jdbc.retention to a longer one, or declare an InboxCleaner.");
            }
        };
    }

    /** Makes the checks of {@link #idemStore} for a store of the application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(InboxStore.class)
    static class OwnStore {

        @Bean
        SmartInitializingSingleton idemOwnInboxStoreCheck(Environment environment, ObjectProvider<InboxSchema> schema) {
            return () -> {
                OtherStoreSettings.refuse(environment);
                schema.ifAvailable(InboxSchema::checkAsStore);
            };
        }
    }
}
