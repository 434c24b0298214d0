package io.idem.jdbc.internal;

import io.idem.StoreUnavailableException;
import io.idem.jdbc.SchemaDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Runs single statements on connections of their own, each committed by itself: never in a transaction of the caller,
 * whose roll-back would undo the record too. Thread-safe; blocks.
 */
public final class StoreConnections {

    private final DataSource dataSource;
    private final TableNames names;
    private final int timeoutSeconds;

    public StoreConnections(DataSource dataSource, Duration statementTimeout) {
        this.dataSource = behindTransactions(SchemaDataSource.inside(dataSource));
        this.names = TableNames.of(dataSource);
        this.timeoutSeconds =
                Math.toIntExact(Math.max(1, statementTimeout.plusMillis(999).toSeconds()));
    }

    /** Returns the data source behind one that hands out the connections of open transactions. */
    public static DataSource behindTransactions(DataSource given) {
        return given instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? proxy.getTargetDataSource()
                : given;
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
                return call.run(statement);
            } catch (SQLException failure) {
                StaleConnections.drop(connection, failure);
                throw failure;
            }
        });
    }

    /** Binds the parameters, executes the statement and reads its result. */
    @FunctionalInterface
    public interface Call<T> {
        T run(PreparedStatement statement) throws SQLException;
    }
}
