package io.idem.workshop.chaos.worker;

import io.idem.jdbc.TenantDataSources;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * The databases of two tenants, for workers whose store is the inbox. All work is that of the first. The second has only rows that nobody in
 * this process has committed: its relay has no caller.
 */
@ConditionalOnProperty(name = "idem.store", havingValue = "inbox")
class Tenants {

    private static final String FIRST = "first";

    @Bean
    DataSource firstDatabase(DataSourceProperties settings) {
        return settings.initializeDataSourceBuilder().build();
    }

    @Bean
    DataSource secondDatabase(DataSourceProperties settings) {
        return settings.initializeDataSourceBuilder()
                .url(settings.determineUrl() + "&currentSchema=" + Names.SECOND_TENANT)
                .build();
    }

    @Bean
    @Primary
    DataSource databases(
            @Qualifier("firstDatabase") DataSource firstDatabase,
            @Qualifier("secondDatabase") DataSource secondDatabase) {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return FIRST;
            }
        };
        routing.setTargetDataSources(Map.of(FIRST, firstDatabase, Names.SECOND_TENANT, secondDatabase));
        return routing;
    }

    @Bean
    TenantDataSources tenants(
            @Qualifier("firstDatabase") DataSource firstDatabase,
            @Qualifier("secondDatabase") DataSource secondDatabase) {
        Map<String, DataSource> all = Map.of(FIRST, firstDatabase, Names.SECOND_TENANT, secondDatabase);
        return () -> all;
    }
}
