package io.idem.jdbc;

import io.idem.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the database is not supported, or a table of the inbox or the store is missing, unreadable or of another
 * version.
 */
public final class InboxSchemaException extends ConfigurationException {

    private static final String REMEDY =
            "Use PostgreSQL, MariaDB or MySQL, and do one of these: let the application's Flyway or Liquibase run the"
                    + " files below META-INF/idem/sql of the idem-jdbc jar and grant its user SELECT, INSERT,"
                    + " UPDATE and DELETE on the tables (and, on MariaDB and MySQL with a binary log, set binlog_format to ROW or"
                    + " MIXED); or have them created at start-up by"
                    + " idem.jdbc.initialize-schema=always (the inbox, also where it is the store) or"
                    + " idem.postgresql.initialize-schema=always (idem.store=postgresql). Without an inbox: let no listener and no route ask for an inbox.";

    public InboxSchemaException(String message) {
        this(message, null);
    }

    public InboxSchemaException(String message, @Nullable Throwable cause) {
        super(message, REMEDY, cause);
    }
}
