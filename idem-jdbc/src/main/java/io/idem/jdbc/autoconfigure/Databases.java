package io.idem.jdbc.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.TenantDataSources;
import io.idem.jdbc.internal.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases with tables of the inbox.
 *
 * @param chosen the data source of the application
 * @param tenants names those among which it chooses; null where there is only one database
 */
record Databases(DataSource chosen, @Nullable TenantDataSources tenants, InboxProperties properties) {

    private static final Logger LOG = LoggerFactory.getLogger(Databases.class);

    /** Returns the data sources by tenant, with the schema of the tables; the only one has no name. */
    Map<String, DataSource> byName() {
        Map<String, DataSource> all = new TreeMap<>(tenants == null ? Map.of("", chosen) : tenants.byName());
        all.replaceAll((tenant, dataSource) -> properties.tablesIn(dataSource));
        return all;
    }

    /** Refuses what needs to know all databases where the data source chooses among some that are not named. */
    void requireNamed() {
        if (tenants == null && !properties.singleDatabase() && DatabaseProduct.isChosenByCaller(chosen)) {
            throw new ConfigurationException(
                    "The data source chooses a database by its caller, " + chosen
                            + ". What works without a caller, such"
                            + " as the relay that sends what a dead process left, does not find them",
                    "Declare a bean of type io.idem.jdbc.TenantDataSources that returns the data source of each tenant by its"
                            + " name; or, if all are one database, as where reads go to replicas, set"
                            + " idem.jdbc.single-database=true.");
        }
    }

    /** Refuses what asks a database without a caller where there is none for it then. One that is down is another matter. */
    void requireDefault() {
        try (Connection asked = chosen.getConnection()) {
            LOG.debug("Without a caller the data source leads to {}", asked.getMetaData().getDatabaseProductName());
        } catch (IllegalStateException none) {
            throw new ConfigurationException(
                    "idem.store=inbox asks without a caller whether an outage has ended, but then: " + none.getMessage(),
                    "Call setDefaultTargetDataSource of the data source, or set idem.store=redis, with an inbox.");
        } catch (SQLException down) {
            LOG.debug("The database without a caller does not answer", down);
        }
    }

    /** Does something with each and returns what comes of it. A tenant whose database is down is logged, and holds up no other. */
    <T> List<T> each(String what, Function<DataSource, T> step) {
        List<T> done = new ArrayList<>();
        byName().forEach((tenant, tables) -> {
            try {
                done.add(step.apply(tables));
            } catch (Throwable failure) {
                if (tenants == null || failure instanceof InboxSchemaException) {
                    throw failure;
                }
                LOG.warn("{} for tenant {} failed; the others go on", what, tenant, failure);
            }
        });
        return done;
    }
}
