package io.idem.result;

import io.idem.IdempotencyException;

/** A place for large results did not do what it was asked for; the message says which one, and what to look at. */
public final class ResultStorageException extends IdempotencyException {

    public ResultStorageException(String message) {
        super(message);
    }

    public ResultStorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
