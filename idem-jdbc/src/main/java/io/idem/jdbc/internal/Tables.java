package io.idem.jdbc.internal;

import io.idem.jdbc.InboxSchemaException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Creates the tables, and refuses to begin beside rows of earlier versions, which this version does not read.
 *
 * @param forgets whether the application says that such rows may be forgotten
 */
public record Tables(DataSource dataSource, InboxDialect dialect, boolean forgets) {

    private static final List<String> OLD = List.of("idem_inbox", "idem_inbox_failure", "idem_inbox_attempt");

    /** A column that only the table of earlier versions has. */
    private static final String OLD_COLUMN = "clean_at";

    /**
     * Runs the script unless the tables are there, in one transaction where the database can. Tables that are there are not touched: even
     * {@code IF NOT EXISTS} would wait for all work under way, and let all other work wait behind it. A table of the same name of an
     * earlier version is replaced if it has no rows.
     *
     * @throws InboxSchemaException if a table of an earlier version has rows
     */
    public void create() {
        refuseOldRows();
        new OwnTransactions(dataSource).run(jdbc -> {
            if (!isUpToDate(jdbc) || hasOldRecords(jdbc)) {
                createInTurn(jdbc);
            }
            return true;
        });
    }

    private boolean isUpToDate(JdbcTemplate jdbc) {
        return exists(jdbc, "idem_record") && !jdbc.queryForList(dialect.newest()).isEmpty();
    }

    private void createInTurn(JdbcTemplate jdbc) {
        // PostgreSQL's IF NOT EXISTS fails for the slower of two sessions that create the same table.
        jdbc.execute(dialect.lock());
        try {
            if (hasOldRecords(jdbc)) {
                jdbc.execute(dialect.sql("DROP TABLE idem_record"));
            }
            Boolean unused = jdbc.execute((ConnectionCallback<Boolean>) this::runScript);
        } finally {
            if (!dialect.unlock().isEmpty()) {
                jdbc.execute(dialect.unlock());
            }
        }
    }

    private Boolean runScript(Connection connection) {
        dialect.names().run(connection, dialect.script());
        return true;
    }

    /**
     * Looks for rows in tables of earlier versions, also in each database that a routing data source chooses from.
     *
     * @throws InboxSchemaException if there are any, or if the table of records is that of an earlier version
     */
    public void refuseOldRows() {
        targets().forEach(this::refuseOldRows);
    }

    private Stream<DataSource> targets() {
        try {
            Collection<DataSource> resolved = dataSource.isWrapperFor(AbstractRoutingDataSource.class)
                    ? dataSource.unwrap(AbstractRoutingDataSource.class).getResolvedDataSources().values()
                    : List.of();
            return resolved.isEmpty() ? Stream.of(dataSource) : resolved.stream();
        } catch (SQLException | RuntimeException unknown) {
            return Stream.of(dataSource);
        }
    }

    private void refuseOldRows(DataSource target) {
        if (forgets) {
            return;
        }
        new OwnTransactions(target).run(jdbc -> {
            OLD.stream().filter(table -> hasRows(jdbc, table)).findFirst().ifPresent(table -> {
                throw refused(table);
            });
            if (hasOldRecords(jdbc) && hasRows(jdbc, "idem_record")) {
                throw refused("idem_record");
            }
            return true;
        });
    }

    private static InboxSchemaException refused(String table) {
        return new InboxSchemaException("The table " + table + " of an earlier version has rows, which this version does not read:"
                + " duplicates of what they say is done would run again. Stop all instances of the earlier version, let its"
                + " relay send the messages that are left, let the longest retention pass, and drop the table; or set"
                + " idem.jdbc.forget-old-rows=true to forget the rows. See docs/inbox-outbox.md, \"From four tables to one\"");
    }

    private boolean hasOldRecords(JdbcTemplate jdbc) {
        return dialect.claimLocks()
                && !jdbc.queryForList(dialect.sql("SELECT 1 FROM pg_attribute WHERE attrelid ="
                                + " to_regclass('idem_record') AND attname = '" + OLD_COLUMN + "' AND NOT attisdropped"))
                        .isEmpty();
    }

    private boolean hasRows(JdbcTemplate jdbc, String table) {
        return exists(jdbc, table)
                && !jdbc.queryForList(dialect.sql("SELECT 1 FROM " + table + " LIMIT 1")).isEmpty();
    }

    /** Asks PostgreSQL first, which logs a statement without its table, and rolls back after it. */
    private boolean exists(JdbcTemplate jdbc, String table) {
        if (dialect.claimLocks()) {
            return !jdbc.queryForList(dialect.sql("SELECT 1 WHERE to_regclass('" + table + "') IS NOT NULL")).isEmpty();
        }
        try {
            return !jdbc.queryForList(dialect.sql("SELECT count(*) FROM " + table + " WHERE 1 = 0")).isEmpty();
        } catch (BadSqlGrammarException missing) {
            return false;
        }
    }

    /** Returns the words of the database about a failure. */
    public static String why(RuntimeException failure) {
        return String.valueOf(
                failure instanceof DataAccessException
                        ? NestedExceptionUtils.getMostSpecificCause(failure).getMessage()
                        : failure.getMessage());
    }
}
