package io.idem.jdbc.inbox;

import io.idem.ConfigurationException;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.internal.ClaimEnds;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.Durability;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.Tables;
import io.idem.jdbc.store.RecordCleaner;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.util.Assert;

/**
 * Creates or checks the tables of the inbox. The SQL is a file in the jar, {@code R__idem.sql} below
 * {@code META-INF/idem/sql}, for the application's own Flyway or Liquibase. Thread-safe; blocks.
 */
public final class InboxSchema {

    private static final String TABLE = "idem_record cannot be used";
    private static final Duration ANY = Duration.ofMinutes(1);

    private static final Duration LONGEST_REPEATS = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final InboxTransactions transactions;
    private final ClaimStatements statements;
    private final Tables tables;

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
        InboxDialect dialect = DatabaseProduct.dialect(dataSource);
        this.statements = new ClaimStatements(jdbc, new OwnTransactions(dataSource), dialect, Optional.empty());
        this.tables = new Tables(dataSource, dialect, false);
    }

    private InboxSchema(InboxSchema same, Tables tables) {
        this.dataSource = same.dataSource;
        this.transactions = same.transactions;
        this.jdbc = same.jdbc;
        this.statements = same.statements;
        this.tables = tables;
    }

    /** Returns a copy that does not refuse rows in tables of earlier versions: what they say is done may run again. */
    public InboxSchema forgettingOldRows() {
        return new InboxSchema(this, new Tables(dataSource, tables.dialect(), true));
    }

    /**
     * Runs the script, in one transaction where the database can. Existing tables stay. Instances that start together run it one after the
     * other, and wait for at most a minute. Tables that are there are not touched: even {@code IF NOT EXISTS} would wait for all
     * work under way, and let all other work wait behind it.
     *
     * @throws InboxSchemaException if the database does not run the script, or has rows of an earlier version
     */
    public void create() {
        requireEmptyTexts();
        require("idem_record cannot be created", tables::create);
    }

    /**
     * Tries the inbox's statements on the table, with a random key and in transactions as of work and of clean-up that are rolled
     * back: a key is inserted once, the transaction is rolled back, and large results are read back unchanged.
     *
     * @throws InboxSchemaException if something is missing, or if there are rows of an earlier version; the message says so
     */
    public void check() {
        requireEmptyTexts();
        require(TABLE, () -> {
            tables.refuseOldRows();
            Durability.requireLasting(jdbc, statements.dialect(), "idem_record");
            Durability.warnOfLateCommits(jdbc, statements.dialect().claimLocks());
            new InboxProbe(transactions, statements).run();
            long unused = new RecordCleaner(dataSource).clean();
        });
    }

    /**
     * Does what {@link #check} does, and tries the statements of an inbox that is the store.
     *
     * @throws InboxSchemaException if something is missing; the message names it
     */
    public void checkAsStore() {
        check();
        require(TABLE, () -> {
            IdempotencyKey key = IdempotencyKey.of("idem-probe-" + UUID.randomUUID());
            Lease lease = new Lease(
                    new RecordId(key, new Scope("idem-check")),
                    OwnerToken.random(new SecureRandom()),
                    1,
                    1,
                    ANY,
                    ANY);
            boolean counted = new ClaimEnds(statements.dialect(), statements.database())
                    .tried(new Request(lease, Fingerprint.NONE));
            Assert.state(counted, "a failed attempt could not be counted");
        });
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
        return failure instanceof DataAccessException data
                && ClaimFailure.of(data, statements.claimsWait()) != ClaimFailure.OTHER;
    }
}
