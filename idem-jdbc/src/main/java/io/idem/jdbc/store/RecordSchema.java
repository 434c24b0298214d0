package io.idem.jdbc.store;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.TableNames;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;

/**
 * Creates or checks the tables of the store. The SQL is a file in the jar, {@value #SCRIPT}, for the application's own
 * Flyway or Liquibase. Thread-safe; blocks.
 */
public final class RecordSchema {

    /** The class-path location of the SQL. */
    public static final String SCRIPT = "META-INF/idem/sql/postgresql/R__idem_record.sql";

    private static final String PRODUCT = "PostgreSQL";

    /** Returns a row if the tables are there and have what the newest version of the script adds. */
    private static final String UP_TO_DATE = "SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            + " JOIN pg_attribute a ON a.attrelid = i.indrelid WHERE i.indrelid = to_regclass('idem_record')"
            + " AND c.relname = 'idem_record_clean_at' AND a.attname = 'steps' AND to_regclass('idem_scope') IS NOT NULL";

    private final DataSource dataSource;
    private final OwnTransactions database;
    private final TableNames names;

    /** Creates a schema without connecting. A {@link SchemaDataSource} tells where the tables are. */
    public RecordSchema(DataSource dataSource) {
        this.dataSource = dataSource;
        this.database = new OwnTransactions(dataSource);
        this.names = TableNames.quoted(dataSource);
    }

    /**
     * Runs the script in one transaction unless the tables are up to date, which are not touched: that would wait for a
     * synchronous standby, and for work under way. Instances that start together run it one after the other, and wait
     * for at most a minute.
     *
     * @throws InboxSchemaException if the database is not PostgreSQL, or does not run the script
     */
    public void create() {
        requirePostgres();
        try {
            boolean unused = database.run(jdbc -> {
                if (!jdbc.queryForList(names.in(UP_TO_DATE)).isEmpty()) {
                    return true;
                }
                jdbc.execute(InboxDialect.LOCK);
                return jdbc.execute((ConnectionCallback<Boolean>) connection -> {
                    names.run(connection, SCRIPT);
                    return true;
                });
            });
        } catch (DataAccessException failure) {
            throw new InboxSchemaException(
                    "The tables idem_record and idem_scope cannot be created: "
                            + failure.getMostSpecificCause().getMessage(),
                    failure);
        }
    }

    /**
     * Checks that the database is PostgreSQL, and tries the store's statements on the tables in a transaction that is
     * rolled back.
     *
     * @throws InboxSchemaException if something is missing; the message names it
     */
    public void check() {
        requirePostgres();
        try {
            new RecordProbe(database, names).run();
        } catch (DataAccessException unusable) {
            throw unusable(unusable.getMostSpecificCause().getMessage(), unusable);
        } catch (IllegalStateException unsuitable) {
            throw unusable(unsuitable.getMessage(), unsuitable);
        }
    }

    private static InboxSchemaException unusable(@Nullable String why, RuntimeException cause) {
        return new InboxSchemaException("The tables idem_record and idem_scope cannot be used: " + why, cause);
    }

    private void requirePostgres() {
        String product = DatabaseProduct.of(dataSource);
        if (!PRODUCT.equals(product)) {
            throw new InboxSchemaException("The store needs PostgreSQL, and the data source leads to " + product);
        }
    }
}
