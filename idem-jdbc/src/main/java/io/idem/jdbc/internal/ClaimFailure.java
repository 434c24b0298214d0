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
     * Another transaction that has inserted the row stayed open for as long as this one was let wait: by the statement,
     * by a time limit of the session, or until an operator cancelled it.
     */
    UNDER_WAY,
    /** The database rolled the transaction back to end a deadlock. */
    DEADLOCK,
    /** Another failure, with which the work fails. */
    OTHER;

    /** MariaDB and MySQL: innodb_lock_wait_timeout; KILL QUERY. MariaDB: max_statement_time. */
    private static final Set<Integer> MARIADB_WAITED = Set.of(1205, 1317, 1969);

    /** PostgreSQL: lock_timeout; statement_timeout, the driver's query timeout and pg_cancel_backend. */
    private static final Set<String> POSTGRES_WAITED = Set.of("55P03", "57014");

    private static final int MARIADB_DEADLOCK = 1213;
    private static final String POSTGRES_DEADLOCK = "40P01";

    public static ClaimFailure of(DataAccessException failure) {
        if (NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql) {
            String state = String.valueOf(sql.getSQLState());
            if (MARIADB_WAITED.contains(sql.getErrorCode()) || POSTGRES_WAITED.contains(state)) {
                return UNDER_WAY;
            }
            if (sql.getErrorCode() == MARIADB_DEADLOCK || POSTGRES_DEADLOCK.equals(state)) {
                return DEADLOCK;
            }
        }
        if (failure instanceof QueryTimeoutException) {
            return UNDER_WAY;
        }
        return failure instanceof ConcurrencyFailureException ? ROW_COMMITTED : OTHER;
    }
}
