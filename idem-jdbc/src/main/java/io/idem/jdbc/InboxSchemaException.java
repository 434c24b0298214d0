package io.idem.jdbc;

import io.idem.IdempotencyException;

/**
 * Thrown when the database is not supported, or a table of the inbox or the store is missing, unreadable or of another
 * version.
 */
public final class InboxSchemaException extends IdempotencyException {

    public InboxSchemaException(String message) {
        super(message);
    }

    public InboxSchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
