package io.idem.jdbc.store;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.TableNames;
import io.idem.jdbc.internal.Tables;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;

/**
 * Creates or checks the tables of the store. The SQL is a file in the jar, {@value #SCRIPT}, for the application's own
 * Flyway or Liquibase. Thread-safe; blocks.
 */
public final class RecordSchema {

    /** The class-path location of the SQL. */
    public static final String SCRIPT = "META-INF/idem/sql/postgresql/R__idem.sql";

    private static final String PRODUCT = "PostgreSQL";

    private final DataSource dataSource;
    private final boolean forgets;

    /** Creates a schema without connecting. A {@link SchemaDataSource} tells where the tables are. */
    public RecordSchema(DataSource dataSource) {
        this(dataSource, false);
    }

    private RecordSchema(DataSource dataSource, boolean forgets) {
        this.dataSource = dataSource;
        this.forgets = forgets;
    }

    /** Returns a copy that does not refuse rows in tables of earlier versions: what they say is done may run again. */
    public RecordSchema forgettingOldRows() {
        return new RecordSchema(dataSource, true);
    }

    /**
     * Runs the script in one transaction unless the tables are up to date, which are not touched: that would wait for a
     * synchronous standby, and for work under way. Instances that start together run it one after the other, and wait
     * for at most a minute.
     *
     * @throws InboxSchemaException if the database is not PostgreSQL, does not run the script, or has rows of an earlier version
     */
    public void create() {
        Tables tables = tables();
        try {
            tables.create();
        } catch (DataAccessException failure) {
            throw new InboxSchemaException(
                    "The tables idem_record and idem_scope cannot be created: " + Tables.why(failure), failure);
        }
    }

    /**
     * Checks that the database is PostgreSQL, and tries the store's statements on the tables in a transaction that is
     * rolled back.
     *
     * @throws InboxSchemaException if something is missing, or if there are rows of an earlier version; the message says so
     */
    public void check() {
        Tables tables = tables();
        try {
            tables.refuseOldRows();
            new RecordProbe(new OwnTransactions(dataSource), TableNames.quoted(dataSource)).run();
        } catch (DataAccessException | IllegalStateException unusable) {
            throw new InboxSchemaException(
                    "The tables idem_record and idem_scope cannot be used: " + Tables.why(unusable), unusable);
        }
    }

    private Tables tables() {
        String product = DatabaseProduct.of(dataSource);
        if (!PRODUCT.equals(product)) {
            throw new InboxSchemaException("The store needs PostgreSQL, and the data source leads to " + product);
        }
        return new Tables(dataSource, DatabaseProduct.dialect(dataSource), forgets);
    }
}
