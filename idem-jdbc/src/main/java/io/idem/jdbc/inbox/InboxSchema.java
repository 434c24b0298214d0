package io.idem.jdbc.inbox;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRows;
import java.sql.Connection;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table of the inbox: makes it, or checks that somebody made it. Its SQL is a file in the jar, {@code R__idem_inbox.sql}
 * below {@code META-INF/idem/sql}, for the application's own Flyway or Liquibase where there is one. Thread-safe; blocks.
 */
public final class InboxSchema {

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final InboxDialect dialect;
    private final InboxRows rows;

    /**
     * A schema; connects, to see which database it is.
     *
     * @param dataSource a {@link SchemaDataSource} says where the table is
     * @throws InboxSchemaException if the database is neither PostgreSQL nor MariaDB
     */
    public InboxSchema(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.jdbc = new JdbcTemplate(SchemaDataSource.inside(dataSource));
        this.transaction = new TransactionTemplate(transactionManager);
        this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        this.dialect = DatabaseProduct.dialect(dataSource);
        this.rows = new InboxRows(dataSource, dialect, Optional.empty());
    }

    /**
     * Runs the script, which leaves what exists alone and brings tables of earlier versions up to date, in one transaction where the database can. Instances that start together
     * take turns, for at most a minute each.
     *
     * @throws InboxSchemaException if the database does not run the script
     */
    public void create() {
        try {
            transaction.executeWithoutResult(status -> createInTurn());
        } catch (DataAccessException failure) {
            throw new InboxSchemaException("The table idem_inbox cannot be created: " + rootMessage(failure), failure);
        }
    }

    private void createInTurn() {
        // IF NOT EXISTS of PostgreSQL fails for the slower of two sessions that create the same table.
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
     * Tries on the table what the inbox relies on, with a random key and in a transaction that is rolled back: that a key is
     * inserted once, that the transaction is rolled back, that large results come back as they were.
     *
     * @throws InboxSchemaException names what is missing
     */
    public void check() {
        try {
            new InboxProbe(transaction, jdbc, dialect, rows).run();
        } catch (DataAccessException unusable) {
            throw unusable(rootMessage(unusable), unusable);
        } catch (IllegalStateException | TransactionException unsuitable) {
            throw unusable(unsuitable.getMessage(), unsuitable);
        }
    }

    private static InboxSchemaException unusable(@Nullable String why, RuntimeException cause) {
        return new InboxSchemaException("The table idem_inbox cannot be used: " + why, cause);
    }

    private static String rootMessage(DataAccessException failure) {
        return String.valueOf(failure.getMostSpecificCause().getMessage());
    }
}
