package io.idem.jdbc;

import java.util.Map;
import javax.sql.DataSource;

/**
 * The databases of an application whose data source chooses one of them by the tenant of the caller. A bean of this type tells them to what
 * works without a caller: the relay of the outbox, the cleaner of the inbox, the gauges, and the check of the tables at start-up.
 */
@FunctionalInterface
public interface TenantDataSources {

    /**
     * Returns the data source of each tenant by its name, which is the tag of gauges and stands in logs. Called at each pass, every few
     * seconds and on several threads, so that tenants may come and go; should not block. Return the very objects between which the
     * application's data source chooses: messages then leave at once after the commit, and otherwise when they are due.
     */
    Map<String, DataSource> byName();
}
