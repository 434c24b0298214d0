package io.idem.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.springframework.util.ClassUtils;

/** The state of transactions as PostgreSQL's driver knows it, without asking the server. */
final class PostgresTransactions {

    private static final boolean DRIVER_PRESENT =
            ClassUtils.isPresent("org.postgresql.core.BaseConnection", PostgresTransactions.class.getClassLoader());

    private PostgresTransactions() {}

    /** Returns whether the connection is one of this driver, and so has a known state. */
    static boolean knows(Connection connection) throws SQLException {
        return DRIVER_PRESENT && OfDriver.has(connection);
    }

    /**
     * Returns whether a statement of the transaction has failed. PostgreSQL then answers a commit with a roll-back, which
     * its driver does not report.
     */
    static boolean hasFailed(Connection connection) throws SQLException {
        return OfDriver.state(connection) == TransactionState.FAILED;
    }

    /** The classes of the driver, which need not be there. */
    private static final class OfDriver {

        static boolean has(Connection connection) throws SQLException {
            return connection.isWrapperFor(BaseConnection.class);
        }

        static TransactionState state(Connection connection) throws SQLException {
            return connection.unwrap(BaseConnection.class).getTransactionState();
        }
    }
}
