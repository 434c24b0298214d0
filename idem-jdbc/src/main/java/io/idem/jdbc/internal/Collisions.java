package io.idem.jdbc.internal;

import java.sql.SQLException;
import java.util.Set;
import org.springframework.core.NestedExceptionUtils;

/** Repeats statements that the database undid only because of concurrent access to the same rows. */
final class Collisions {

    private static final int MOST = 20;

    /** A serialization failure, and also a deadlock on MariaDB and MySQL; a deadlock on PostgreSQL. */
    private static final Set<String> STATES = Set.of("40001", "40P01");

    private Collisions() {}

    /** Runs a whole transaction, and again after each collision, up to a limit. */
    static <T, X extends Exception> T repeating(Statements<T, X> transaction) throws X {
        for (int collisions = 0; ; collisions++) {
            try {
                return transaction.run();
            } catch (Exception failure) {
                if (!isCollision(failure) || collisions == MOST) {
                    throw failure;
                }
            }
        }
    }

    private static boolean isCollision(Exception failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
                && STATES.contains(String.valueOf(sql.getSQLState()));
    }

    /** The statements of a transaction. */
    @FunctionalInterface
    interface Statements<T, X extends Exception> {
        T run() throws X;
    }
}
