package io.idem.jdbc;

import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table of the inbox: makes it, or checks that somebody made it. Its SQL is a file in the jar, {@value #SCRIPT}, to be copied
 * into the application's own migrations where there are any. Thread-safe; blocks.
 */
public final class InboxSchema {

    /** Class-path location of the SQL, one file for each version of the table. */
    public static final String SCRIPT = "META-INF/idem/sql/postgresql/V1__idem_inbox.sql";

    /** Any number will do as long as every instance uses the same: the letters "idem". */
    private static final int ADVISORY_LOCK = 0x6964656D;

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;

    public InboxSchema(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(transactionManager);
    }

    /** Runs the script, which leaves an existing table alone. Instances that start together take turns. */
    public void create() {
        transaction.executeWithoutResult(status -> {
            // PostgreSQL's IF NOT EXISTS fails for the slower of two sessions that create the same table.
            jdbc.query("SELECT pg_advisory_xact_lock(?)", row -> {}, ADVISORY_LOCK);
            jdbc.execute((ConnectionCallback<Boolean>) InboxSchema::runScript);
        });
    }

    private static Boolean runScript(Connection connection) {
        ScriptUtils.executeSqlScript(connection, new ClassPathResource(SCRIPT, InboxSchema.class.getClassLoader()));
        return true;
    }

    /**
     * Looks whether the database is PostgreSQL and the table is there and readable.
     *
     * @throws InboxSchemaException names what is missing
     */
    public void check() {
        requirePostgres();
        try {
            jdbc.execute("SELECT key_id, scope, fence, claimed_at, result_codec, result, outgoing"
                    + " FROM idem_inbox WHERE false");
        } catch (DataAccessException unusable) {
            throw new InboxSchemaException("The table idem_inbox cannot be used: " + rootMessage(unusable), unusable);
        }
    }

    private void requirePostgres() {
        String product = jdbc.execute((ConnectionCallback<String>)
                connection -> connection.getMetaData().getDatabaseProductName());
        if (!"PostgreSQL".equals(product)) {
            throw new InboxSchemaException("The inbox needs PostgreSQL, and the data source leads to " + product);
        }
    }

    private static String rootMessage(DataAccessException failure) {
        return String.valueOf(failure.getMostSpecificCause().getMessage());
    }
}
