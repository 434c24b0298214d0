package io.idem.jdbc.internal;

import io.idem.StoreUnavailableException.Execution;
import io.idem.StoreUnavailableException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.springframework.core.NestedExceptionUtils;

/**
 * Distinguishes failures after which nothing was executed from those after which that is unknown. Statements commit by
 * themselves, so an error that the database itself reports has undone its statement; after a broken connection the
 * outcome is unknown.
 */
public final class SqlFailures {

    private static final String CONNECTION = "08";
    private static final String SHUTDOWN = "57P";
    private static final int CLASS = 2;

    private SqlFailures() {}

    /**
     * Returns the failure of a call to the database of an inbox, in the words of the database or of its driver.
     *
     * @param then what may be done now
     */
    public static StoreUnavailableException ofInbox(
            String call, RuntimeException failure, Execution execution, String then) {
        return new StoreUnavailableException(
                call + ": the database of the inbox failed: " + NestedExceptionUtils.getMostSpecificCause(failure)
                        + ". " + then,
                execution,
                failure);
    }

    static StoreUnavailableException noConnection(String call, SQLException failure) {
        String hint = failure instanceof SQLTransientConnectionException
                ? " The pool of the data source may be exhausted: idem needs one more connection than the work that is"
                        + " under way; enlarge the pool or give idem a data source of its own, the bean idemDataSource."
                : "";
        return new StoreUnavailableException(
                "No connection to PostgreSQL for " + call + ": " + failure.getMessage()
                        + ". Nothing was changed; the call may be repeated." + hint,
                Execution.NOT_EXECUTED,
                failure);
    }

    static StoreUnavailableException of(String call, SQLException failure) {
        Execution execution = executed(failure) ? Execution.UNKNOWN : Execution.NOT_EXECUTED;
        return StoreUnavailableException.of(
                "PostgreSQL", call, String.valueOf(failure.getMessage()), execution, failure);
    }

    private static boolean executed(SQLException failure) {
        String state = failure.getSQLState();
        return state == null || state.length() <= CLASS || state.startsWith(CONNECTION) || state.startsWith(SHUTDOWN);
    }
}
