package io.idem.jdbc.inbox;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.internal.AttemptRows;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRows;
import io.idem.jdbc.internal.StoredRecords;
import java.sql.Connection;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Creates or checks the tables of the inbox. The SQL is a file in the jar, {@code R__idem_inbox.sql} below
 * {@code META-INF/idem/sql}, for the application's own Flyway or Liquibase. Thread-safe; blocks.
 */
public final class InboxSchema {

    private static final String TABLE = "idem_inbox";
    private static final String FAILURES = "idem_inbox_failure";
    private static final String ATTEMPTS = "idem_inbox_attempt";

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final InboxDialect dialect;
    private final InboxRows rows;

    /**
     * Creates a schema; connects, to find out the database.
     *
     * @param dataSource the data source; a {@link SchemaDataSource} tells where the table is
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public InboxSchema(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.jdbc = new JdbcTemplate(SchemaDataSource.inside(dataSource));
        this.transaction = new TransactionTemplate(transactionManager);
        this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        this.dialect = DatabaseProduct.dialect(dataSource);
        this.rows = new InboxRows(dataSource, dialect, Optional.empty());
    }

    /**
     * Runs the script, in one transaction where the database can. Existing tables stay, and those of earlier versions
     * are brought up to date. Instances that start together run it one after the other, and wait for at most a minute.
     * Tables that are up to date are not touched: even {@code IF NOT EXISTS} would wait for all work under way, and let all
     * other work wait behind it.
     *
     * @throws InboxSchemaException if the database does not run the script
     */
    public void create() {
        try {
            if (!isUpToDate()) {
                transaction.executeWithoutResult(status -> createInTurn());
            }
        } catch (DataAccessException failure) {
            throw new InboxSchemaException("The table idem_inbox cannot be created: " + rootMessage(failure), failure);
        }
    }

    private boolean isUpToDate() {
        try {
            return Boolean.TRUE.equals(transaction.execute(
                    status -> !jdbc.queryForList(dialect.newest()).isEmpty()));
        } catch (BadSqlGrammarException missing) {
            return false;
        }
    }

    private void createInTurn() {
        // PostgreSQL's IF NOT EXISTS fails for the slower of two sessions that create the same table.
        jdbc.execute(dialect.lock());
        try {
            jdbc.execute((ConnectionCallback<Boolean>) this::runScript);
        } finally {
            if (!dialect.unlock().isEmpty()) {
                jdbc.execute(dialect.unlock());
            }
        }
    }

    private Boolean runScript(Connection connection) {
        dialect.names().run(connection, dialect.script());
        return true;
    }

    /**
     * Tries the inbox's statements on the table, with a random key and in a transaction that is rolled back: a key is
     * inserted once, the transaction is rolled back, and large results are read back unchanged.
     *
     * @throws InboxSchemaException if something is missing; the message names it
     */
    public void check() {
        try {
            new InboxProbe(transaction, jdbc, dialect, rows).run();
        } catch (DataAccessException unusable) {
            throw unusable(TABLE, rootMessage(unusable), unusable);
        } catch (IllegalStateException | TransactionException unsuitable) {
            throw unusable(TABLE, unsuitable.getMessage(), unsuitable);
        }
    }

    /**
     * Does what {@link #check} does, and tries the statements of an inbox that is the store on the tables of failures and of
     * attempts.
     *
     * @throws InboxSchemaException if something is missing; the message names it
     */
    public void checkAsStore() {
        check();
        FailureProbe failures = new FailureProbe(jdbc, new StoredRecords(dialect), rows.failures());
        probe(FAILURES, failures::run);
        probe(ATTEMPTS, () -> AttemptProbe.run(new AttemptRows(jdbc, dialect)));
    }

    private void probe(String table, Runnable statements) {
        try {
            transaction.executeWithoutResult(status -> {
                status.setRollbackOnly();
                statements.run();
            });
        } catch (DataAccessException unusable) {
            throw unusable(table, rootMessage(unusable), unusable);
        } catch (IllegalStateException | TransactionException unsuitable) {
            throw unusable(table, unsuitable.getMessage(), unsuitable);
        }
    }

    private static InboxSchemaException unusable(String table, @Nullable String why, RuntimeException cause) {
        return new InboxSchemaException("The table " + table + " cannot be used: " + why, cause);
    }

    private static String rootMessage(DataAccessException failure) {
        return String.valueOf(failure.getMostSpecificCause().getMessage());
    }
}
