package io.idem.jdbc.internal;

import io.idem.jdbc.InboxSchemaException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** Looks at what a crash of the database takes from its tables. */
public final class Durability {

    /** A partition of a table may be unlogged by itself. */
    private static final String NOT_LOGGED =
            "SELECT CAST(CAST(c.oid AS regclass) AS text) FROM (SELECT to_regclass(?) AS name) t"
                    + " JOIN pg_class c ON c.oid = t.name OR c.oid IN (SELECT relid FROM pg_partition_tree(t.name))"
                    + " WHERE relpersistence <> 'p'";

    private static final String LOSING_DEFINITION = "(?is)CREATE TEMPORARY .*|.*\\) ENGINE=(?!InnoDB).*";

    private static final Logger LOG = LoggerFactory.getLogger(Durability.class);
    private static final String LATE = "SELECT name || '=off' FROM pg_settings"
            + " WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'";
    private static final String LATE_INNODB = "SELECT concat('innodb_flush_log_at_trx_commit=',"
            + " @@innodb_flush_log_at_trx_commit) FROM DUAL WHERE @@innodb_flush_log_at_trx_commit <> 1";

    private Durability() {}

    /** Refuses a table of an inbox, by its name without its schema. */
    public static void requireLasting(JdbcTemplate jdbc, InboxDialect dialect, String table) {
        requireLasting(jdbc, dialect.claimLocks(), dialect.sql(table));
    }

    /**
     * Refuses a table whose rows a crash of the database or the end of a session removes.
     *
     * @param postgresql whether the database is PostgreSQL, and not MariaDB or MySQL
     * @param table the name, with its schema if it has one
     */
    public static void requireLasting(JdbcTemplate jdbc, boolean postgresql, String table) {
        List<String> losing = postgresql
                ? jdbc.queryForList(NOT_LOGGED, String.class, table)
                : jdbc.query("SHOW CREATE TABLE " + table, (row, number) -> row.getString(2)).stream()
                        .filter(definition -> definition.matches(LOSING_DEFINITION))
                        .toList();
        if (!losing.isEmpty()) {
            throw new InboxSchemaException(
                    "The table " + table + " loses its rows when the database crashes or the session"
                            + " ends, because it is temporary or "
                            + (postgresql
                                    ? "UNLOGGED. Run ALTER TABLE " + losing.get(0) + " SET LOGGED"
                                    : "of an engine other than InnoDB. Create it without TEMPORARY and with ENGINE = InnoDB"));
        }
    }

    /** Warns of a database that confirms commits before they are on its disk. */
    public static void warnOfLateCommits(JdbcTemplate jdbc, boolean postgresql) {
        List<String> late = jdbc.queryForList(postgresql ? LATE : LATE_INNODB, String.class);
        if (!late.isEmpty()) {
            LOG.warn(
                    "The database confirms commits before they are on its disk ({}): when it crashes it forgets the last of"
                            + " them. Duplicates of work whose record was among them run again, and with an inbox the"
                            + " message is acknowledged and the work gone. Set it to {}",
                    String.join(", ", late),
                    postgresql
                            ? "on: synchronous_commit for the user of the data source, fsync for the server"
                            : "1");
        }
    }
}
