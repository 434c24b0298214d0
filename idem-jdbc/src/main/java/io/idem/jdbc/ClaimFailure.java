package io.idem.jdbc;

import java.sql.SQLException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;

/** What it means that the row could not be inserted. */
enum ClaimFailure {
    /** How PostgreSQL's stricter isolation levels say that there is a row, committed since the transaction began. */
    ROW_COMMITTED,
    /** Another transaction that has inserted the row stayed open for as long as the wait may last. */
    STILL_OPEN,
    /** This transaction was chosen to end a deadlock of several that waited; nothing of it is left. */
    DEADLOCK,
    /** Anything else. */
    OTHER;

    private static final int MARIADB_LOCK_WAIT_TIMEOUT = 1205;
    private static final int MARIADB_DEADLOCK = 1213;
    private static final int MARIADB_STATEMENT_TIMEOUT = 1969;
    private static final String POSTGRES_DEADLOCK = "40P01";

    static ClaimFailure of(DataAccessException failure) {
        if (NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql) {
            switch (sql.getErrorCode()) {
                case MARIADB_LOCK_WAIT_TIMEOUT, MARIADB_STATEMENT_TIMEOUT -> {
                    return STILL_OPEN;
                }
                case MARIADB_DEADLOCK -> {
                    return DEADLOCK;
                }
                default -> {}
            }
            if (POSTGRES_DEADLOCK.equals(sql.getSQLState())) {
                return DEADLOCK;
            }
        }
        if (failure instanceof QueryTimeoutException) {
            return STILL_OPEN;
        }
        return failure instanceof ConcurrencyFailureException ? ROW_COMMITTED : OTHER;
    }
}
