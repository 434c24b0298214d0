package io.idem.jdbc.internal;

import java.util.List;

/**
 * The statements of the inbox, as one database wants them. Parameters are those of {@link InboxRows} and {@link io.idem.jdbc.inbox.InboxCleaner InboxCleaner},
 * the same for all.
 *
 * @param product as the driver calls the database
 * @param script class-path location of the table's SQL
 * @param lock held while the script runs, and {@code unlock} for where a transaction's end does not release it
 * @param claim inserts key, scope, fence and owner unless there is a row; waits for another transaction that has inserted one
 * @param fenceFloor the greatest fence or the clock in microseconds
 * @param clean deletes a batch of rows older than a number of seconds, but none with messages that are still to be sent
 * @param later the time after a number of seconds, which may be null
 * @param due rows of a scope that the relay is to send, up to a number, locked; passes over those that another transaction has locked
 * @param younger rows of at most a number of seconds, after a key and scope, in their order, up to a number
 * @param names how tables are called in statements and scripts
 */
public record InboxDialect(
        String product,
        String script,
        String lock,
        String unlock,
        String claim,
        String fenceFloor,
        String clean,
        String later,
        String due,
        String younger,
        TableNames names) {

    /** Rows deleted by one statement, so that no lock is held for long. */
    public static final int CLEAN_BATCH = 1_000;

    private static final String ROOT = "META-INF/idem/sql/";
    private static final String UNSENT =
            "SELECT key_id, scope, fence, outgoing FROM idem_inbox WHERE scope = ? AND relay_at <= ";
    private static final String ROW = "SELECT key_id, scope, fence, result_codec, result, fingerprint,"
            + " outgoing <> '' AND relay_at IS NULL AS to_publish, ";

    /**
     * PostgreSQL's lock of a start, until the end of its transaction and so also behind a pool of transactions. Any number will do as
     * long as every instance uses the same, here the letters "idem". Nothing in the transaction waits for longer than a minute.
     */
    public static final String LOCK =
            "SET LOCAL lock_timeout = '60s'; SELECT pg_advisory_xact_lock(" + 0x6964656D + ")";

    static final InboxDialect POSTGRESQL = new InboxDialect(
            "PostgreSQL",
            ROOT + "postgresql/R__idem_inbox.sql",
            LOCK,
            "",
            "INSERT INTO idem_inbox (key_id, scope, fence, owner) VALUES (?, ?, ?, ?)"
                    + " ON CONFLICT (key_id, scope) DO NOTHING",
            "SELECT greatest((SELECT max(fence) FROM idem_inbox),"
                    + " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)",
            "DELETE FROM idem_inbox WHERE (key_id, scope) IN (SELECT key_id, scope FROM idem_inbox"
                    + " WHERE claimed_at < now() - make_interval(secs => ?) AND relay_at IS NULL"
                    + " ORDER BY claimed_at LIMIT " + CLEAN_BATCH + " FOR UPDATE SKIP LOCKED)",
            "clock_timestamp() + make_interval(secs => CAST(? AS double precision))",
            UNSENT + "now() ORDER BY relay_at LIMIT ? FOR UPDATE SKIP LOCKED",
            ROW + "(extract(epoch FROM now() - claimed_at) * 1000)::bigint AS age_millis FROM idem_inbox"
                    + " WHERE claimed_at >= now() - make_interval(secs => ?) AND (key_id, scope) > (?, ?)"
                    + " ORDER BY key_id, scope LIMIT ?",
            TableNames.PLAIN);

    static final InboxDialect MARIADB = new InboxDialect(
            "MariaDB",
            ROOT + "mariadb/R__idem_inbox.sql",
            "SELECT get_lock('idem_inbox', 60)",
            "SELECT release_lock('idem_inbox')",
            // The number of rows tells apart what happened whatever the driver is told to count; ON DUPLICATE KEY
            // UPDATE
            // counts by the driver's settings.
            "INSERT IGNORE INTO idem_inbox (key_id, scope, fence, owner) VALUES (?, ?, ?, ?)",
            "SELECT greatest(coalesce((SELECT max(fence) FROM idem_inbox), 0),"
                    + " timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6)))",
            "DELETE FROM idem_inbox WHERE claimed_at < utc_timestamp(6) - INTERVAL ? SECOND AND relay_at IS NULL"
                    + " ORDER BY claimed_at LIMIT " + CLEAN_BATCH,
            "utc_timestamp(6) + INTERVAL ? SECOND",
            UNSENT + "utc_timestamp(6) ORDER BY relay_at LIMIT ? FOR UPDATE SKIP LOCKED",
            ROW + "timestampdiff(MICROSECOND, claimed_at, utc_timestamp(6)) DIV 1000 AS age_millis FROM idem_inbox"
                    + " WHERE claimed_at >= utc_timestamp(6) - INTERVAL ? SECOND AND (key_id, scope) > (?, ?)"
                    + " ORDER BY key_id, scope LIMIT ?",
            TableNames.PLAIN);

    /** Every supported one. */
    static final List<InboxDialect> ALL = List.of(POSTGRESQL, MARIADB);

    /** Returns these statements for tables of other names. */
    InboxDialect with(TableNames other) {
        return new InboxDialect(
                product,
                script,
                other.in(lock),
                other.in(unlock),
                other.in(claim),
                other.in(fenceFloor),
                other.in(clean),
                later,
                other.in(due),
                other.in(younger),
                other);
    }

    /** Another statement on the table. */
    public String sql(String statement) {
        return names.in(statement);
    }
}
