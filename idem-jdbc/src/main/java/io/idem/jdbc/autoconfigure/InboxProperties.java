package io.idem.jdbc.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import io.idem.Scope;
import io.idem.jdbc.SchemaDataSource;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the inbox.
 *
 * @param enabled whether there is an inbox at all
 * @param initializeSchema whether the table is created at start-up; else it must be there if a scope uses the inbox
 * @param schema in which all tables of idem are, those of the store too; default: found by the search path of the connection
 * @param singleDatabase whether all targets of a routing data source are one database, as where reads go to replicas
 * @param forgetOldRows whether rows in tables of versions before idem_record may be forgotten; a start beside them is refused otherwise
 * @param outbox how messages leave that were published under an inbox whose work nobody delivers again
 */
@ConfigurationProperties("idem.jdbc")
record InboxProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("never") InitializeSchema initializeSchema,
        @Nullable String schema,
        @DefaultValue("false") boolean singleDatabase,
        @DefaultValue("false") boolean forgetOldRows,
        @DefaultValue Outbox outbox) {

    InboxProperties {
        require(
                schema == null || schema.matches(SchemaDataSource.NAME_SYNTAX),
                "idem.jdbc.schema=\"" + schema + "\" does not match " + SchemaDataSource.NAME_SYNTAX
                        + "; name a schema, or remove the setting to find the tables by the connection's search path");
    }

    /** Returns a data source that knows the schema of the tables. */
    DataSource tablesIn(DataSource dataSource) {
        return schema == null ? dataSource : new SchemaDataSource(dataSource, schema);
    }

    /**
     * Settings of the relay.
     *
     * @param relayAfter when a committed row's messages are sent by any instance, unless its own has sent them at once
     * @param scopes further scopes whose messages are sent, for example under the former name of the application
     */
    record Outbox(
            @DefaultValue("1m") Duration relayAfter,
            @DefaultValue Set<String> scopes) {

        Outbox {
            require(
                    relayAfter.toSeconds() >= 1,
                    "idem.jdbc.outbox.relay-after=" + relayAfter + " is less than a second");
            scopes.forEach(Scope::new);
        }
    }

    /** The choice of who creates the table. */
    enum InitializeSchema {
        /** The table is created at the start of the application if it is missing. */
        ALWAYS,
        /** The table is created by the application's own migrations, for example. */
        NEVER
    }
}
