package io.idem.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
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
    private static final String READ_ONLY = "25006";
    private static final Set<String> ENDING = Set.of("57P01", "57P02", "57P03");
    private static final String BROKEN = "08";

    /** The errors of MariaDB and MySQL for a server that only reads. */
    private static final Set<Integer> READ_ONLY_ERRORS = Set.of(1290, 1836);

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

    private static boolean isStale(Throwable failure) {
        return onlyReads(failure)
                || NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
                        && (ENDING.contains(state(sql)) || state(sql).startsWith(BROKEN));
    }

    /** Returns whether the server has refused a statement because it only reads. */
    static boolean onlyReads(Throwable failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
                && (state(sql).equals(READ_ONLY) || READ_ONLY_ERRORS.contains(sql.getErrorCode()));
    }

    private static String state(SQLException failure) {
        return String.valueOf(failure.getSQLState());
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
