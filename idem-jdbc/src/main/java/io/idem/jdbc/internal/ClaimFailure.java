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
     * Another transaction has a lock on the row: one that has inserted it and is open, or one that updates or deletes a
     * row that was committed.
     */
    ROW_LOCKED,
    /** The database rolled the transaction back to end a deadlock. */
    DEADLOCK,
    /**
     * Another failure, which says nothing about other transactions. A claim that a time limit or an operator ended is one too, where claims do not wait for the row.
     */
    OTHER;

    /** MariaDB and MySQL: innodb_lock_wait_timeout. MySQL: NOWAIT. */
    private static final Set<Integer> MARIADB_LOCKED = Set.of(1205, 3572);

    /** MariaDB and MySQL: KILL QUERY, by which the drivers of MySQL end a claim. MariaDB: max_statement_time. */
    private static final Set<Integer> MARIADB_ENDED = Set.of(1317, 1969);

    /** PostgreSQL: lock_timeout; statement_timeout, the driver's query timeout and pg_cancel_backend. */
    private static final Set<String> POSTGRES_CANCELLED = Set.of("55P03", "57014");

    /**
     * The table's name. PostgreSQL's message about a cancelled statement contains it if the statement waited for another transaction's row, and not if it waited for a lock on the table or was running.
     */
    private static final String POSTGRES_TABLE = "idem_record";

    /** PostgreSQL and MariaDB, MySQL: the savepoint ended with its transaction. */
    private static final Set<String> NO_SAVEPOINT = Set.of("3B001", "1305");

    private static final int MARIADB_DEADLOCK = 1213;
    private static final String POSTGRES_DEADLOCK = "40P01";

    /** Returns whether a savepoint could not be released because its transaction has ended. */
    public static boolean isLostSavepoint(DataAccessException failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
                && (NO_SAVEPOINT.contains(String.valueOf(sql.getSQLState()))
                        || NO_SAVEPOINT.contains(Integer.toString(sql.getErrorCode())));
    }

    /**
     * Returns the reason of a failure.
     *
     * @param claimWaits whether the claim waits for another transaction with the row, see {@link InboxDialect#claimWaits}
     */
    public static ClaimFailure of(DataAccessException failure, boolean claimWaits) {
        if (NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql) {
            String state = String.valueOf(sql.getSQLState());
            if (MARIADB_LOCKED.contains(sql.getErrorCode())) {
                return ROW_LOCKED;
            }
            if (MARIADB_ENDED.contains(sql.getErrorCode())) {
                return claimWaits ? ROW_LOCKED : OTHER;
            }
            if (POSTGRES_CANCELLED.contains(state)) {
                return String.valueOf(sql.getMessage()).contains(POSTGRES_TABLE) ? ROW_LOCKED : OTHER;
            }
            if (sql.getErrorCode() == MARIADB_DEADLOCK || POSTGRES_DEADLOCK.equals(state)) {
                return DEADLOCK;
            }
        }
        if (failure instanceof QueryTimeoutException) {
            return claimWaits ? ROW_LOCKED : OTHER;
        }
        return failure instanceof ConcurrencyFailureException ? ROW_COMMITTED : OTHER;
    }
}
