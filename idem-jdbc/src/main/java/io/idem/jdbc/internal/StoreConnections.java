package io.idem.jdbc.internal;

import io.idem.RefusedWorkException;
import io.idem.StoreUnavailableException;
import io.idem.jdbc.SchemaDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.Collection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.ConnectionProxy;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs single statements on connections of their own, each committed by itself: never in a transaction of the caller,
 * whose roll-back would undo the record too. Thread-safe; blocks.
 */
public final class StoreConnections {

    private final DataSource dataSource;
    private final TableNames names;
    private final int timeoutSeconds;

    public StoreConnections(DataSource dataSource, Duration statementTimeout) {
        this.dataSource = apart(dataSource);
        this.names = TableNames.quoted(dataSource);
        this.timeoutSeconds =
                Math.toIntExact(Math.max(1, statementTimeout.plusMillis(999).toSeconds()));
    }

    /**
     * Returns a data source by which no transaction is bound to a thread, with the connections of the given one. Those of open
     * transactions are not handed out: whoever commits one would commit part of the caller's work.
     */
    static DataSource apart(DataSource given) {
        return new DelegatingDataSource(behindTransactions(SchemaDataSource.inside(given))) {

            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                if (!connection.getAutoCommit() && isOfOpenTransaction(connection)) {
                    connection.close();
                    throw new RefusedWorkException(
                            given + " hands out the connection of the caller's open transaction, and"
                                    + " idem would commit it. Take the TransactionAwareDataSourceProxy out of that data source, or"
                                    + " call idem outside of the transaction");
                }
                return connection;
            }
        };
    }

    private static boolean isOfOpenTransaction(Connection connection) throws SQLException {
        Collection<Object> bound =
                TransactionSynchronizationManager.getResourceMap().values();
        if (bound.isEmpty() || !connection.isWrapperFor(ConnectionProxy.class)) {
            return false;
        }
        Connection actual = connection.unwrap(ConnectionProxy.class).getTargetConnection();
        return bound.stream()
                .anyMatch(held -> held instanceof ConnectionHolder holder && holder.getConnection() == actual);
    }

    /** Returns the data source behind one that hands out the connections of open transactions, however that is wrapped. */
    private static DataSource behindTransactions(DataSource given) {
        try {
            DataSource behind = given.isWrapperFor(TransactionAwareDataSourceProxy.class)
                    ? given.unwrap(TransactionAwareDataSourceProxy.class).getTargetDataSource()
                    : null;
            // A proxy behind a routing data source is that of one of its targets.
            return behind == null
                            || (DatabaseProduct.isChosenByCaller(given) && !DatabaseProduct.isChosenByCaller(behind))
                    ? given
                    : behindTransactions(behind);
        } catch (SQLException | RuntimeException unknown) {
            return given;
        }
    }

    /**
     * Prepares and runs a statement.
     *
     * @throws StoreUnavailableException if there is no connection or the statement fails
     */
    public <T> T call(Object what, String sql, Call<T> call) {
        try (Connection connection = connect(what)) {
            return committing(connection, names.in(sql), call);
        } catch (SQLException failure) {
            throw SqlFailures.of(what.toString(), failure);
        }
    }

    private Connection connect(Object what) {
        try {
            return dataSource.getConnection();
        } catch (SQLException failure) {
            throw SqlFailures.noConnection(what.toString(), failure);
        }
    }

    private <T> T committing(Connection connection, String sql, Call<T> call) throws SQLException {
        if (connection.getAutoCommit()) {
            return run(connection, sql, call);
        }
        connection.setAutoCommit(true);
        try {
            return run(connection, sql, call);
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(false);
            }
        }
    }

    private <T> T run(Connection connection, String sql, Call<T> call) throws SQLException {
        return Collisions.repeating(() -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setQueryTimeout(timeoutSeconds);
                T answer = call.run(statement);
                requireReplicated(statement.getWarnings());
                return answer;
            } catch (SQLException failure) {
                StaleConnections.drop(connection, failure);
                throw failure;
            }
        });
    }

    /**
     * Refuses a statement that PostgreSQL has committed with a warning: the wait for a synchronous standby was cancelled, as by
     * the timeout of the statement, and a failover would forget what was written. The failure has no state: its outcome is
     * unknown.
     */
    private static void requireReplicated(@Nullable SQLWarning first) throws SQLException {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            if (PostgresTransactions.lacksStandby(warning)) {
                throw new SQLException(warning.getMessage(), warning);
            }
        }
    }

    /** Binds the parameters, executes the statement and reads its result. */
    @FunctionalInterface
    public interface Call<T> {
        T run(PreparedStatement statement) throws SQLException;
    }
}
