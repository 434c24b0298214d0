package io.idem.jdbc.internal;

import java.sql.SQLException;
import java.util.Set;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;

/** The reasons why a row could not be inserted. */
public enum ClaimFailure {
    /** A row was committed since the transaction began, which PostgreSQL's stricter isolation levels report. */
    ROW_COMMITTED,
    /**
     * Another transaction that has inserted the row stayed open for as long as the database let this one wait for a
     * lock.
     */
    STILL_OPEN,
    /**
     * The statement was ended by a time limit or by an operator, whether or not another transaction has inserted the
     * row.
     */
    CANCELLED,
    /** The database rolled the transaction back to end a deadlock. */
    DEADLOCK,
    /** Another failure, with which the work fails. */
    OTHER;

    /** The innodb_lock_wait_timeout of MariaDB. */
    private static final int MARIADB_WAITED = 1205;

    /** The lock_timeout of PostgreSQL. */
    private static final String POSTGRES_WAITED = "55P03";

    /** MariaDB: KILL QUERY; max_statement_time, by which its driver ends queries in time. */
    private static final Set<Integer> MARIADB_CANCELLED = Set.of(1317, 1969);

    /** PostgreSQL: statement_timeout, the driver's query timeout and pg_cancel_backend. */
    private static final String POSTGRES_CANCELLED = "57014";

    private static final int MARIADB_DEADLOCK = 1213;
    private static final String POSTGRES_DEADLOCK = "40P01";

    public static ClaimFailure of(DataAccessException failure) {
        if (NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql) {
            String state = String.valueOf(sql.getSQLState());
            if (sql.getErrorCode() == MARIADB_WAITED || POSTGRES_WAITED.equals(state)) {
                return STILL_OPEN;
            }
            if (MARIADB_CANCELLED.contains(sql.getErrorCode()) || POSTGRES_CANCELLED.equals(state)) {
                return CANCELLED;
            }
            if (sql.getErrorCode() == MARIADB_DEADLOCK || POSTGRES_DEADLOCK.equals(state)) {
                return DEADLOCK;
            }
        }
        if (failure instanceof QueryTimeoutException) {
            return CANCELLED;
        }
        return failure instanceof ConcurrencyFailureException ? ROW_COMMITTED : OTHER;
    }
}
