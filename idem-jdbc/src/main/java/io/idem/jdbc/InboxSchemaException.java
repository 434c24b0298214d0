package io.idem.jdbc;

import io.idem.IdempotencyException;

/** The database is not PostgreSQL, or the table of the inbox is missing, unreadable or of another version. */
public final class InboxSchemaException extends IdempotencyException {

    public InboxSchemaException(String message) {
        super(message);
    }

    public InboxSchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
