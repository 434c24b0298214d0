package io.idem.jdbc;

import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * The tables of the store: makes them, or checks that somebody made them. Their SQL is a file in the jar, {@value #SCRIPT}, to
 * be copied into the application's own migrations where there are any. Thread-safe; blocks.
 */
public final class RecordSchema {

    /** Class-path location of the SQL. */
    public static final String SCRIPT = "META-INF/idem/sql/postgresql/V3__idem_record.sql";

    /** Any number will do as long as every instance uses the same: the letters "idem". */
    private static final int ADVISORY_LOCK = 0x6964656D;

    private static final String PRODUCT = "PostgreSQL";

    private final DataSource dataSource;

    public RecordSchema(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Runs the script, which leaves what exists alone. Instances that start together take turns.
     *
     * @throws InboxSchemaException if the database is not PostgreSQL
     */
    public void create() {
        requirePostgres();
        new JdbcTemplate(dataSource).execute((ConnectionCallback<Boolean>) connection -> {
            JdbcTemplate same = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
            same.query("SELECT pg_advisory_lock(" + ADVISORY_LOCK + ")", row -> {});
            try {
                return runScript(connection);
            } finally {
                same.query("SELECT pg_advisory_unlock(" + ADVISORY_LOCK + ")", row -> {});
            }
        });
    }

    private static Boolean runScript(Connection connection) {
        ScriptUtils.executeSqlScript(connection, new ClassPathResource(SCRIPT, RecordSchema.class.getClassLoader()));
        return true;
    }

    /**
     * Looks whether the database is PostgreSQL and the tables are there and readable.
     *
     * @throws InboxSchemaException names what is missing
     */
    public void check() {
        requirePostgres();
        try {
            new JdbcTemplate(dataSource)
                    .execute(
                            "SELECT key_id, scope, state, attempts, grant_kind, fence, fingerprint, owner, at, expires_at,"
                                    + " result_codec, result, reason FROM idem_record, idem_scope WHERE name = '' AND false");
        } catch (DataAccessException unusable) {
            throw new InboxSchemaException(
                    "The tables idem_record and idem_scope cannot be used: "
                            + unusable.getMostSpecificCause().getMessage(),
                    unusable);
        }
    }

    private void requirePostgres() {
        String product = DatabaseProduct.of(dataSource);
        if (!PRODUCT.equals(product)) {
            throw new InboxSchemaException("The store needs PostgreSQL, and the data source leads to " + product);
        }
    }
}
