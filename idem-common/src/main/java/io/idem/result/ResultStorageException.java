package io.idem.result;

import io.idem.IdempotencyException;

/** Thrown when a storage of large results fails; the message names the storage and what to check. */
public final class ResultStorageException extends IdempotencyException {

    public ResultStorageException(String message) {
        super(message);
    }

    public ResultStorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
