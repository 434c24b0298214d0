package io.idem.jdbc.internal;

import io.idem.StoredResult;
import java.util.List;

/**
 * The statements of the inbox for one database. Their parameters are those of {@link InboxRows} and
 * {@link io.idem.jdbc.inbox.InboxCleaner InboxCleaner}, the same for all databases.
 *
 * @param product the name of the database in the driver's words
 * @param script the class-path location of the table's SQL
 * @param newest returns a row if the tables and the newest object of the script are there, which is the last that it makes; may fail if not
 * @param lock takes the lock that is held while the script runs
 * @param unlock releases the lock where the end of the transaction does not
 * @param claim inserts key, scope, fence, owner and fingerprint unless there is a row, and returns the fence of the new
 *     row: that of the parameter or the clock in microseconds, whichever is greater. Does not wait for another
 *     transaction of this version that has inserted one
 * @param claimLocks whether the claim takes an advisory lock, whose number is its last parameter, and inserts nothing without it. Transactions of the earlier version take no lock and are waited for
 * @param fence sets the fence of a row that was just inserted to the clock in microseconds if that is greater, and makes
 *     it the generated key; empty where the claim does not wait and returns the fence
 * @param clean deletes a batch of rows older than a number of seconds, but none with messages that are still to be sent
 * @param later the time after a number of seconds, which may be null
 * @param age the milliseconds since a row was claimed, by the clock of the database
 * @param due reads rows of a scope that the relay is to send, up to a number, and locks them; skips those that another
 *     transaction has locked
 * @param younger reads rows of at most a number of seconds, after a key and scope, in their order, up to a number
 * @param failures the statements on the failures of an inbox that is the store
 * @param attempts the statements on attempts that run steps before their transaction
 * @param names the names of tables in statements and scripts
 */
public record InboxDialect(
        String product,
        String script,
        String newest,
        String lock,
        String unlock,
        String claim,
        boolean claimLocks,
        String fence,
        String clean,
        String later,
        String age,
        String due,
        String younger,
        FailureStatements failures,
        AttemptStatements attempts,
        TableNames names) {

    /** The number of rows that one statement deletes, so that no lock is held for long. */
    public static final int CLEAN_BATCH = 1_000;

    private static final String ROOT = "META-INF/idem/sql/";
    private static final String UNSENT =
            "SELECT key_id, scope, fence, outgoing FROM idem_inbox WHERE scope = ? AND relay_at <= ";
    private static final String ROW = "SELECT key_id, scope, fence, result_codec, result, fingerprint,"
            + " (outgoing <> '' AND relay_at IS NULL) OR result_codec = '" + StoredResult.AGAIN.codec()
            + "' AS to_publish, ";

    /**
     * Takes PostgreSQL's lock for starting instances, held until the end of the transaction and so also behind a pool
     * of transactions. The number is arbitrary but the same for every instance, here the letters "idem". No statement
     * of the transaction waits longer than a minute.
     */
    public static final String LOCK =
            "SET LOCAL lock_timeout = '60s'; SELECT pg_advisory_xact_lock(" + 0x6964656D + ")";

    /**
     * PostgreSQL's claim up to a further condition. The select list is evaluated after the lock was taken, so that fences
     * grow in the order of the owners.
     */
    static final String CLAIM = "INSERT INTO idem_inbox (key_id, scope, fence, owner, fingerprint) SELECT ?::varchar,"
            + " ?::varchar, greatest(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint), ?::bytea,"
            + " ?::bytea WHERE pg_try_advisory_xact_lock(? # 'idem_inbox'::regclass::oid::bigint)";

    /** The end of PostgreSQL's claim, which marks its transaction. */
    static final String UNLESS_COMMITTED =
            " ON CONFLICT (key_id, scope) DO NOTHING RETURNING fence, " + PostgresTransactions.MARK;

    private static final String POSTGRESQL_AGE = "(extract(epoch FROM now() - claimed_at) * 1000)::bigint";
    private static final String MARIADB_AGE = "timestampdiff(MICROSECOND, claimed_at, utc_timestamp(6)) DIV 1000";

    static final InboxDialect POSTGRESQL = new InboxDialect(
            "PostgreSQL",
            ROOT + "postgresql/R__idem_inbox.sql",
            "SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                    + " WHERE i.indrelid = to_regclass('idem_inbox_failure')"
                    + " AND c.relname = 'idem_inbox_failure_failed_at' AND to_regclass('idem_inbox') IS NOT NULL"
                    + " AND to_regclass('idem_inbox_attempt') IS NOT NULL",
            LOCK,
            "",
            CLAIM + UNLESS_COMMITTED,
            true,
            "",
            "DELETE FROM idem_inbox WHERE (key_id, scope) IN (SELECT key_id, scope FROM idem_inbox"
                    + " WHERE claimed_at < now() - make_interval(secs => ?) AND relay_at IS NULL"
                    + " ORDER BY claimed_at LIMIT " + CLEAN_BATCH + " FOR UPDATE SKIP LOCKED)",
            "clock_timestamp() + make_interval(secs => CAST(? AS double precision))",
            POSTGRESQL_AGE,
            UNSENT + "now() ORDER BY relay_at LIMIT ? FOR UPDATE SKIP LOCKED",
            ROW + POSTGRESQL_AGE + " AS age_millis FROM idem_inbox"
                    + " WHERE claimed_at >= now() - make_interval(secs => ?) AND (key_id, scope) > (?, ?)"
                    + " ORDER BY key_id, scope LIMIT ?",
            FailureStatements.POSTGRESQL,
            AttemptStatements.POSTGRESQL,
            TableNames.PLAIN);

    static final InboxDialect MARIADB = new InboxDialect(
            "MariaDB",
            ROOT + "mariadb/R__idem_inbox.sql",
            "SELECT count(*) FROM idem_inbox_failure, idem_inbox, idem_inbox_attempt WHERE 1 = 0",
            "SELECT get_lock('idem_inbox', 60)",
            "SELECT release_lock('idem_inbox')",
            "SET STATEMENT innodb_lock_wait_timeout = 0, max_statement_time = 30 FOR"
                    + " INSERT IGNORE INTO idem_inbox (key_id, scope, fence, owner, fingerprint)"
                    + " VALUES (?, ?, greatest(?, timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))), ?, ?)"
                    + " RETURNING fence",
            false,
            "",
            "DELETE FROM idem_inbox WHERE claimed_at < utc_timestamp(6) - INTERVAL ? SECOND AND relay_at IS NULL"
                    + " ORDER BY claimed_at LIMIT " + CLEAN_BATCH,
            "utc_timestamp(6) + INTERVAL ? SECOND",
            MARIADB_AGE,
            UNSENT + "utc_timestamp(6) ORDER BY relay_at LIMIT ? FOR UPDATE SKIP LOCKED",
            ROW + MARIADB_AGE + " AS age_millis FROM idem_inbox"
                    + " WHERE claimed_at >= utc_timestamp(6) - INTERVAL ? SECOND AND (key_id, scope) > (?, ?)"
                    + " ORDER BY key_id, scope LIMIT ?",
            FailureStatements.MARIADB,
            AttemptStatements.MARIADB,
            TableNames.PLAIN);

    static final InboxDialect MYSQL = new InboxDialect(
            "MySQL",
            ROOT + "mysql/R__idem_inbox.sql",
            MARIADB.newest(),
            MARIADB.lock(),
            MARIADB.unlock(),
            "INSERT INTO idem_inbox (key_id, scope, fence, owner, fingerprint) VALUES (?, ?, ?, ?, ?)",
            false,
            // In the insert, the clock would be read before the wait, and fences would come out of order.
            "UPDATE idem_inbox SET fence = last_insert_id(greatest(fence,"
                    + " timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6)))) WHERE key_id = ? AND scope = ?",
            MARIADB.clean(),
            MARIADB.later(),
            MARIADB.age(),
            MARIADB.due(),
            MARIADB.younger(),
            FailureStatements.MARIADB,
            AttemptStatements.MARIADB,
            TableNames.PLAIN);

    static final List<InboxDialect> ALL = List.of(POSTGRESQL, MARIADB, MYSQL);

    /** Returns these statements for tables of other names. */
    InboxDialect with(TableNames other) {
        return new InboxDialect(
                product,
                script,
                other.in(newest),
                other.in(lock),
                other.in(unlock),
                other.in(claim),
                claimLocks,
                other.in(fence),
                other.in(clean),
                later,
                age,
                other.in(due),
                other.in(younger),
                failures.with(other),
                attempts.with(other),
                other);
    }

    /** Returns another statement on the table, with the names of its tables. */
    public String sql(String statement) {
        return names.in(statement);
    }
}
