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

    /**
     * Returns the failure of a call to a server. The message says what may be done now.
     *
     * @param server the name of the product
     * @param why the reason, without a full stop
     */
    public static StoreUnavailableException of(
            String server, String call, String why, Execution execution, Throwable cause) {
        String message = execution == Execution.NOT_EXECUTED
                ? server + " did not execute " + call + ": " + why + ". Nothing was changed; the call may be repeated"
                : "Whether " + server + " executed " + call + " is unknown: " + why
                        + ". The call may be repeated with the same owner token";
        return new StoreUnavailableException(message, execution, cause);
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
