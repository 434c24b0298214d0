package io.idem.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.TransactionState;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.util.ClassUtils;

/** The state of transactions as PostgreSQL's driver knows it, without asking the server. */
public final class PostgresTransactions {

    /** The class of states of warnings; PostgreSQL's notices have another one. */
    private static final String WARNING = "01";

    private static final String READ_ONLY_BY_DEFAULT = "default_transaction_read_only";

    /**
     * Marks the transaction that evaluates this expression. The setting applies to later transactions, but ends with this
     * one, so it has no effect. PostgreSQL 14 and newer report every change of it to the driver, also the one at the end
     * of the transaction.
     */
    static final String MARK = "set_config('" + READ_ONLY_BY_DEFAULT + "', 'on', true)";

    private static final boolean DRIVER_PRESENT =
            ClassUtils.isPresent("org.postgresql.core.BaseConnection", PostgresTransactions.class.getClassLoader());

    private PostgresTransactions() {}

    /** Returns whether the connection is one of this driver, and so has a known state. */
    public static boolean knows(Connection connection) throws SQLException {
        return DRIVER_PRESENT && OfDriver.has(connection);
    }

    /**
     * Returns whether a statement of the transaction has failed. PostgreSQL then answers a commit with a roll-back, which
     * its driver does not report.
     */
    public static boolean hasFailed(Connection connection) throws SQLException {
        return OfDriver.state(connection) == TransactionState.FAILED;
    }

    /**
     * Returns whether the transaction that evaluated {@link #MARK} is known to be open. If not, it may have ended, or the
     * server does not report the mark, or a statement has removed it.
     */
    public static boolean isMarked(Connection connection) throws SQLException {
        return OfDriver.state(connection) == TransactionState.OPEN && OfDriver.hasMark(connection);
    }

    /** Returns whether a warning of a commit may be that of PostgreSQL, whatever its language, that no synchronous standby has it. */
    static boolean lacksStandby(SQLWarning warning) {
        return String.valueOf(warning.getSQLState()).startsWith(WARNING)
                && (!DRIVER_PRESENT || OfDriver.isOfRoutine(warning, "SyncRepWaitForLSN"));
    }

    /** The classes of the driver, which need not be there. */
    private static final class OfDriver {

        /** Also for a warning whose routine is not known. */
        static boolean isOfRoutine(SQLWarning warning, String routine) {
            ServerErrorMessage message = warning instanceof PSQLWarning own ? own.getServerErrorMessage() : null;
            return message == null || message.getRoutine() == null || routine.equals(message.getRoutine());
        }

        static boolean has(Connection connection) throws SQLException {
            return connection.isWrapperFor(BaseConnection.class);
        }

        static TransactionState state(Connection connection) throws SQLException {
            return connection.unwrap(BaseConnection.class).getTransactionState();
        }

        /** A connection that was made read-only has the same setting for all of its transactions. */
        static boolean hasMark(Connection connection) throws SQLException {
            QueryExecutor driver = connection.unwrap(BaseConnection.class).getQueryExecutor();
            return "on".equals(driver.getParameterStatuses().get(READ_ONLY_BY_DEFAULT)) && !connection.isReadOnly();
        }
    }
}
