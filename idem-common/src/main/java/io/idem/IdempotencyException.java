package io.idem;

/**
 * Base class of the exceptions that idem throws when something is broken. Expected situations are an {@link Outcome}.
 */
public abstract class IdempotencyException extends RuntimeException {

    protected IdempotencyException(String message) {
        super(message);
    }

    protected IdempotencyException(String message, Throwable cause) {
        super(message, cause);
    }
}
