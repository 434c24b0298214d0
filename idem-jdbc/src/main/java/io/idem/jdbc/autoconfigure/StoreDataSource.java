package io.idem.jdbc.autoconfigure;

import io.idem.ConfigurationException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds the data source of the store: one of idem's own if the application has such a bean, else the application's only
 * one.
 */
final class StoreDataSource {

    /** The name of a data source for idem alone. */
    static final String OWN = "idemDataSource";

    private StoreDataSource() {}

    /** Returns the data source, with the schema of the tables if one is set. */
    static DataSource in(ListableBeanFactory beans) {
        return beans.getBean(InboxProperties.class).tablesIn(withoutSchema(beans));
    }

    /** The data source as the application has it. */
    static DataSource withoutSchema(ListableBeanFactory beans) {
        if (beans.containsBean(OWN)) {
            return beans.getBean(OWN, DataSource.class);
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only == null) {
            int found = beans.getBeanNamesForType(DataSource.class).length;
            throw new ConfigurationException(
                    "idem.store asks for PostgreSQL, but the application has " + (found == 0 ? "no" : "several")
                            + " data sources to choose from",
                    "Set spring.datasource.url to a PostgreSQL and add its driver, or define a bean of type DataSource"
                            + " with the name " + OWN + "; or set idem.store=redis.");
        }
        return only;
    }
}
