package io.idem;

/**
 * The store did not answer. idem fails closed: the work is not run, and nothing is acknowledged.
 *
 * <p>{@link #execution()} tells whether the call may have taken effect; every call may be repeated with the same owner token.
 */
public final class StoreUnavailableException extends IdempotencyException {

    private final Execution execution;

    public StoreUnavailableException(String message, Execution execution, Throwable cause) {
        super(message, cause);
        this.execution = execution;
    }

    /** Whether the store may have executed the call all the same. */
    public Execution execution() {
        return execution;
    }

    /** What is known about a call that was not answered. */
    public enum Execution {
        /** The store refused it or was never reached. */
        NOT_EXECUTED,
        /** The answer was lost: timed out, or the connection was cut. */
        UNKNOWN
    }
}
