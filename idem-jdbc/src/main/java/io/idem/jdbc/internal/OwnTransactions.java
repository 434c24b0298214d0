package io.idem.jdbc.internal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs statements in transactions of their own and commits them, whether or not the connections of the data source
 * commit by themselves. An open transaction of the caller is neither joined nor committed. A transaction that collides
 * with another one, as in a deadlock, is run again. Thread-safe; blocks.
 */
public final class OwnTransactions {

    private final DataSource apart;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate usual;
    private final TransactionTemplate readingCommitted;
    private volatile @Nullable Defaults defaults;

    public OwnTransactions(DataSource dataSource) {
        this.apart = StoreConnections.apart(dataSource);
        this.jdbc = new JdbcTemplate(apart);
        this.usual = new TransactionTemplate(new JdbcTransactionManager(apart));
        this.readingCommitted = new TransactionTemplate(new JdbcTransactionManager(apart));
        // Stricter levels of MariaDB and MySQL lock the gaps between rows too, and several relays would end in a
        // deadlock. They also hide what is committed after the first read.
        this.readingCommitted.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    }

    public <T> T run(Function<JdbcTemplate, T> statements) {
        return Collisions.repeating(() -> transaction().execute(status -> applied(statements)));
    }

    private <T> T applied(Function<JdbcTemplate, T> statements) {
        try {
            return statements.apply(jdbc);
        } catch (RuntimeException failure) {
            StaleConnections.dropAfterTransaction(apart, failure);
            throw failure;
        }
    }

    /** Returns transactions at READ COMMITTED. To set the level costs a round trip, also where a connection has it already. */
    private TransactionTemplate transaction() {
        return defaults().readsCommitted() ? usual : readingCommitted;
    }

    /**
     * Runs statements that need no transaction around them: each commits by itself where the connections of the data source do
     * so, which saves up to three round trips. Elsewhere they are committed together.
     */
    public <T> T runAlone(Function<JdbcTemplate, T> statements) {
        if (!defaults().commitsByItself()) {
            return run(statements);
        }
        try {
            return Collisions.repeating(() -> statements.apply(jdbc));
        } catch (RuntimeException failure) {
            if (!StaleConnections.isStale(failure)) {
                throw failure;
            }
            // The connection is in the pool again. A transaction drops it, or gets another one.
            return run(statements);
        }
    }

    /** Returns whether the database rolls a transaction back that writes to a row which others have changed since it began. */
    public boolean refusesChangedRows() {
        return defaults().refusesChangedRows();
    }

    private Defaults defaults() {
        Defaults known = defaults;
        if (known == null) {
            known = Objects.requireNonNull(jdbc.execute((ConnectionCallback<Defaults>) Defaults::of));
            defaults = known;
        }
        return known;
    }

    /** Runs statements and commits them if they return true; else rolls them back. */
    public boolean runIf(Predicate<JdbcTemplate> statements) {
        return Boolean.TRUE.equals(runKeeping(statements::test, done -> done));
    }

    /** Runs statements and commits them if their answer says so; else rolls them back. */
    public <T> T runKeeping(Function<JdbcTemplate, T> statements, Predicate<? super T> commits) {
        return Collisions.repeating(() -> transaction().execute(status -> {
            T answer = applied(statements);
            if (!commits.test(answer)) {
                status.setRollbackOnly();
            }
            return answer;
        }));
    }

    /** Runs statements and rolls them back. */
    public void rolledBack(Consumer<JdbcTemplate> statements) {
        boolean unused = runKeeping(
                jdbc -> {
                    statements.accept(jdbc);
                    return false;
                },
                done -> done);
    }

    /**
     * The state in which the data source hands connections out.
     *
     * @param readsCommitted whether the level need not be set. Never on MariaDB and MySQL: a pool may hand out a connection at
     *     a stricter level that its last user has set. PostgreSQL reports a collision then, and they read old rows
     * @param refusesChangedRows as PostgreSQL does at stricter levels, and MariaDB there with innodb_snapshot_isolation, which is on from
     *     11.6.2
     */
    private record Defaults(boolean commitsByItself, boolean readsCommitted, boolean refusesChangedRows) {

        static Defaults of(Connection connection) throws SQLException {
            boolean postgres = InboxDialect.POSTGRESQL.product().equals(connection.getMetaData().getDatabaseProductName());
            boolean strict = connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
            return new Defaults(
                    connection.getAutoCommit(), postgres && !strict, strict && (postgres || isolatesSnapshots(connection)));
        }

        private static boolean isolatesSnapshots(Connection connection) throws SQLException {
            try (Statement question = connection.createStatement();
                    ResultSet variable = question.executeQuery("SHOW VARIABLES LIKE 'innodb_snapshot_isolation'")) {
                return variable.next() && "ON".equals(variable.getString(2));
            }
        }
    }
}
