package io.idem;

import org.jspecify.annotations.Nullable;

/**
 * Base class of the exceptions that idem throws when something is broken. Expected situations are an {@link Outcome}.
 */
public abstract class IdempotencyException extends RuntimeException {

    protected IdempotencyException(String message) {
        super(message);
    }

    protected IdempotencyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
