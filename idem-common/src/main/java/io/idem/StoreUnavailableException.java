package io.idem;

/**
 * Thrown when the store did not answer. idem fails closed: the work does not run, and no message is acknowledged.
 *
 * <p>{@link #execution()} tells whether the call may have taken effect. Every call may be repeated with the same owner
 * token.
 */
public final class StoreUnavailableException extends IdempotencyException {

    private final Execution execution;

    public StoreUnavailableException(String message, Execution execution, Throwable cause) {
        super(message, cause);
        this.execution = execution;
    }

    /** Returns whether the store may have executed the call all the same. */
    public Execution execution() {
        return execution;
    }

    /** The possible executions of a call without an answer. */
    public enum Execution {
        /** The store refused the call or was never reached. */
        NOT_EXECUTED,
        /** The answer was lost by a timeout or a broken connection. */
        UNKNOWN
    }
}
