package io.idem.jdbc.autoconfigure;

import io.idem.jdbc.InboxSchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains how the table is created. */
final class InboxSchemaFailureAnalyzer extends AbstractFailureAnalyzer<InboxSchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InboxSchemaException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Use PostgreSQL, MariaDB or MySQL, and do one of these: let the application's Flyway or Liquibase run the"
                        + " files below META-INF/idem/sql of the idem-jdbc jar and grant its user SELECT, INSERT,"
                        + " UPDATE and DELETE on the tables (and, on MariaDB and MySQL with a binary log, set binlog_format to ROW or"
                        + " MIXED); or have them created at start-up by"
                        + " idem.jdbc.initialize-schema=always (the inbox, also where it is the store) or"
                        + " idem.postgresql.initialize-schema=always (idem.store=postgresql). Without an inbox: let no listener and no route ask for an inbox.",
                cause);
    }
}
