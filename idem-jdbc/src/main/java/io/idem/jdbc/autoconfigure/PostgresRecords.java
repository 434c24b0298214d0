package io.idem.jdbc.autoconfigure;

import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import javax.sql.DataSource;

/**
 * The records of the store on PostgreSQL, behind its retries and copies.
 *
 * @param dataSource as the application has it
 */
record PostgresRecords(PostgresIdempotencyStore store, DataSource dataSource) {

    /**
     * Returns whether the rows of an inbox are in the table of these records. Where a data source chooses a database by its caller, the
     * threads of the store may have another one.
     */
    boolean areIn(DataSource ofInbox) {
        return ofInbox.equals(dataSource) && !DatabaseProduct.isChosenByCaller(ofInbox);
    }
}
