package io.idem.jdbc.inbox;

import io.idem.ConfigurationException;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.Durability;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OwnTransactions;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.core.NestedExceptionUtils;
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

    private static final String TABLE = "idem_inbox cannot be used";
    private static final String FAILURES = "idem_inbox_failure cannot be used";
    private static final String ATTEMPTS = "idem_inbox_attempt cannot be used";

    /** An age that no row has. */
    private static final Duration EVER = Duration.ofDays(36_500);

    private static final Duration LONGEST_REPEATS = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final InboxTransactions transactions;
    private final InboxDialect dialect;

    /**
     * Creates a schema; connects, to find out the database.
     *
     * @param dataSource the data source; a {@link SchemaDataSource} tells where the table is
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public InboxSchema(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.dataSource = dataSource;
        this.transactions = new InboxTransactions(dataSource, transactionManager);
        this.jdbc = new JdbcTemplate(SchemaDataSource.inside(dataSource));
        this.transaction = new TransactionTemplate(transactionManager);
        this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        this.dialect = DatabaseProduct.dialect(dataSource);
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
        requireEmptyTexts();
        require("idem_inbox cannot be created", () -> {
            if (!isUpToDate()) {
                transaction.executeWithoutResult(status -> createInTurn());
            }
        });
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
     * Tries the inbox's statements on the table, with a random key and in transactions as of work and of clean-up that are rolled
     * back: a key is inserted once, the transaction is rolled back, and large results are read back unchanged.
     *
     * @throws InboxSchemaException if something is missing; the message names it
     */
    public void check() {
        requireEmptyTexts();
        require(TABLE, () -> {
            Durability.requireLasting(jdbc, dialect, "idem_inbox");
            Durability.warnOfLateCommits(jdbc, dialect.claimLocks());
            new InboxProbe(transactions, jdbc, dialect).run();
            long unused = new InboxCleaner(dataSource, EVER).clean();
        });
    }

    /**
     * Does what {@link #check} does, and tries the statements of an inbox that is the store on the tables of failures and of
     * attempts.
     *
     * @throws InboxSchemaException if something is missing; the message names it
     */
    public void checkAsStore() {
        check();
        require(FAILURES, () -> {
            Durability.requireLasting(jdbc, dialect, "idem_inbox_failure");
            inBothTransactions(using -> new FailureProbe(using, dialect).run());
        });
        require(ATTEMPTS, () -> inBothTransactions(using -> AttemptProbe.run(using, dialect)));
    }

    /** Runs statements in a transaction as of work and in one as of all else, and rolls both back. */
    private void inBothTransactions(Consumer<JdbcTemplate> statements) {
        transaction.executeWithoutResult(status -> {
            status.setRollbackOnly();
            statements.accept(jdbc);
        });
        new OwnTransactions(dataSource).rolledBack(statements);
    }

    private void requireEmptyTexts() {
        Integer equal = jdbc.queryForObject("SELECT CASE WHEN '' = '' THEN 1 ELSE 0 END", Integer.class);
        if (!Integer.valueOf(1).equals(equal)) {
            throw new InboxSchemaException(
                    "The inbox cannot be used: an empty text is NULL on the connections of the data source."
                            + " Take EMPTY_STRING_IS_NULL out of their sql_mode, for example by"
                            + " sessionVariables=sql_mode='STRICT_TRANS_TABLES' in the URL");
        }
    }

    /** Runs statements, and again after each that met a lock, as of an instance that starts at the same time. */
    private void require(String otherwise, Runnable statements) {
        long begin = System.nanoTime();
        while (true) {
            try {
                statements.run();
                return;
            } catch (DataAccessException | IllegalStateException | TransactionException failure) {
                String why = "The table " + otherwise + ": "
                        + NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
                if (!metLock(failure)) {
                    throw new InboxSchemaException(why, failure);
                }
                if (System.nanoTime() - begin > LONGEST_REPEATS.toNanos()) {
                    throw new ConfigurationException(why, "End the transactions that lock the table", failure);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE.toNanos()));
            }
        }
    }

    private boolean metLock(RuntimeException failure) {
        boolean claimWaits = !dialect.fence().isEmpty();
        return failure instanceof DataAccessException data && ClaimFailure.of(data, claimWaits) != ClaimFailure.OTHER;
    }
}
