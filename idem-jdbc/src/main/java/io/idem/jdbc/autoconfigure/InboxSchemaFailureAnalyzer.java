package io.idem.jdbc.autoconfigure;

import io.idem.jdbc.InboxSchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells how the table comes into being. */
final class InboxSchemaFailureAnalyzer extends AbstractFailureAnalyzer<InboxSchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InboxSchemaException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Use PostgreSQL or MariaDB, and do one of these: add the files below META-INF/idem/sql"
                        + " of the idem-jdbc jar to the application's migrations and grant its user SELECT, INSERT,"
                        + " UPDATE and DELETE on idem_inbox; or set idem.jdbc.initialize-schema=always to have the"
                        + " table created at start-up; or set idem.jdbc.enabled=false to do without an inbox.",
                cause);
    }
}
