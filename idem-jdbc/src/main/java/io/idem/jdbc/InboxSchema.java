package io.idem.jdbc;

import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table of the inbox: makes it, or checks that somebody made it. Its SQL is in files of the jar, below
 * {@code META-INF/idem/sql}, to be copied into the application's own migrations where there are any. Thread-safe; blocks.
 */
public final class InboxSchema {

    private static final String COLUMNS =
            "key_id, scope, fence, owner, claimed_at, result_codec, result, outgoing, relay_at";

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final InboxDialect dialect;

    /**
     * A schema; connects, to see which database it is.
     *
     * @throws InboxSchemaException if the database is neither PostgreSQL nor MariaDB
     */
    public InboxSchema(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(transactionManager);
        this.dialect = DatabaseProduct.dialect(dataSource);
    }

    /** Class-path locations of the SQL for this database, one file for each version of the table, in their order. */
    public List<String> scripts() {
        return dialect.scripts();
    }

    /** Runs the scripts, which leave what exists alone. Instances that start together take turns. */
    public void create() {
        transaction.executeWithoutResult(status -> {
            // IF NOT EXISTS of PostgreSQL fails for the slower of two sessions that create the same table.
            jdbc.query(dialect.lock(), row -> {});
            try {
                jdbc.execute((ConnectionCallback<Boolean>) this::runScripts);
            } finally {
                if (!dialect.unlock().isEmpty()) {
                    jdbc.query(dialect.unlock(), row -> {});
                }
            }
        });
    }

    private Boolean runScripts(Connection connection) {
        for (String script : scripts()) {
            ScriptUtils.executeSqlScript(connection, new ClassPathResource(script, InboxSchema.class.getClassLoader()));
        }
        return true;
    }

    /**
     * Looks whether the table is there and readable.
     *
     * @throws InboxSchemaException names what is missing
     */
    public void check() {
        try {
            jdbc.execute("SELECT " + COLUMNS + " FROM idem_inbox WHERE 1 = 0");
        } catch (DataAccessException unusable) {
            throw new InboxSchemaException("The table idem_inbox cannot be used: " + rootMessage(unusable), unusable);
        }
    }

    private static String rootMessage(DataAccessException failure) {
        return String.valueOf(failure.getMostSpecificCause().getMessage());
    }
}
