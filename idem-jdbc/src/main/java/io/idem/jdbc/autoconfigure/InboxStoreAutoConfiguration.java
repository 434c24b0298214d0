package io.idem.jdbc.autoconfigure;

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
