package io.idem.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Open connections to a server that writes no more: it ends, or it was demoted and its address leads to another one. A pool
 * keeps them, because they live. They are aborted, so that the next call gets one to the present server.
 */
public final class StaleConnections {

    private static final Logger LOG = LoggerFactory.getLogger(StaleConnections.class);
    private static final Pattern STATES = Pattern.compile("25006|57P0[123]|08...");

    /** The errors of MariaDB and MySQL for a server that only reads. */
    private static final Set<Integer> ERRORS = Set.of(1290, 1836);

    private StaleConnections() {}

    /** Aborts the connection of a statement that has failed, if that is the reason. */
    static void drop(Connection connection, Throwable failure) {
        if (isStale(failure)) {
            abort(connection);
        }
    }

    /**
     * Aborts the connection of this thread's transaction after that has been rolled back, if that is the reason of a failure.
     *
     * @param dataSource the key under which the connection is bound
     */
    public static void dropAfterTransaction(DataSource dataSource, Throwable failure) {
        if (isStale(failure)
                && TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder bound
                && TransactionSynchronizationManager.isSynchronizationActive()) {
            Connection connection = bound.getConnection();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    abort(connection);
                }
            });
        }
    }

    static boolean isStale(Throwable failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
                && (STATES.matcher(String.valueOf(sql.getSQLState())).matches() || ERRORS.contains(sql.getErrorCode()));
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
            // A pool learns that a connection is broken when its use fails.
            connection.createStatement().close();
        } catch (SQLException | RuntimeException broken) {
            LOG.debug("A connection to a server that writes no more was aborted", broken);
        }
    }
}
