package io.idem.jdbc.internal;

/**
 * The texts of the statements in the words of one database.
 *
 * @param product the name of the database in the driver's words
 * @param directory where its script is
 * @param now the clock, perhaps as of the begin of the transaction
 * @param clock the clock
 * @param plus what follows a moment for a number of microseconds after it
 * @param before what stands before a moment for its microseconds since 1970
 * @param after what stands behind it
 * @param atOnce what a statement begins with that is not to wait for the lock of a row
 */
record InboxSql(
        String product,
        String directory,
        String now,
        String clock,
        String plus,
        String before,
        String after,
        String atOnce) {

    static final InboxSql POSTGRESQL = new InboxSql(
            "PostgreSQL",
            "postgresql",
            "now()",
            "clock_timestamp()",
            " + ?::bigint * interval '1 microsecond'",
            "(date_part('epoch', ",
            ") * 1000000)::bigint",
            "");
    static final InboxSql MARIADB = likeMariaDb(
            "MariaDB", "mariadb", "SET STATEMENT innodb_lock_wait_timeout = 0, max_statement_time = 30 FOR ");
    static final InboxSql MYSQL = likeMariaDb("MySQL", "mysql", "");

    private static final String OF_RECORD = " WHERE key_id = ? AND scope = ?";
    private static final String COLUMNS =
            " (key_id, scope, state, attempts, grant_kind, fence, owner, fingerprint, at, expires_at";
    private static final String INSERT = "INSERT INTO idem_record AS r" + COLUMNS;
    private static final String EXPIRED_ROW = "(r.expires_at <= clock_timestamp() AND r.relay_at IS NULL)";

    private static InboxSql likeMariaDb(String product, String directory, String atOnce) {
        String clock = "utc_timestamp(6)";
        String before = "timestampdiff(MICROSECOND, '1970-01-01', ";
        return new InboxSql(product, directory, clock, clock, " + INTERVAL ? MICROSECOND", before, ")", atOnce);
    }

    /** Returns whether a claim takes the advisory lock of the record, without which it writes nothing. */
    boolean claimLocks() {
        return product.equals("PostgreSQL");
    }

    /** Returns a condition behind which PostgreSQL's claims take the lock of the record, the last parameter. */
    private String locked() {
        return claimLocks() ? " AND " + InboxDialect.TRY_LOCK : "";
    }

    private String marked() {
        return claimLocks() ? " AND " + PostgresTransactions.MARK + " = 'on'" : "";
    }

    private String micros(String moment) {
        return before + moment + after;
    }

    private String fence() {
        return micros(clock);
    }

    /** The condition of a row that counts as absent: one with messages that are still to be sent does not. */
    private String expired() {
        return "(expires_at <= " + clock + " AND relay_at IS NULL)";
    }

    /** The columns that {@link RecordRow} reads. */
    String columns() {
        return " key_id, scope, state, attempts, fence, owner, fingerprint, result_codec, result, reason, relay_at, "
                + micros("at") + " AS at_micros, " + micros("expires_at") + " AS kept_micros, " + fence()
                + " AS now_micros";
    }

    String newest() {
        return claimLocks()
                ? "SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                        + " WHERE i.indrelid = to_regclass('idem_record') AND c.relname = 'idem_record_relay_at'"
                        + " AND to_regclass('idem_scope') IS NOT NULL"
                : "SELECT count(*) FROM idem_record WHERE 1 = 0";
    }

    /** PostgreSQL evaluates the select list after the lock was taken, so that fences grow in the order of the owners. */
    String claim() {
        return claimLocks()
                ? INSERT + ") SELECT ?::varchar, ?::varchar, 2, 1, 0, greatest(?::bigint, " + fence()
                        + "), ?::bytea, ?::bytea, now(), now()" + plus + " WHERE " + InboxDialect.TRY_LOCK + marked()
                        + " ON CONFLICT (key_id, scope) DO NOTHING"
                : atOnce + "INSERT INTO idem_record" + COLUMNS + ") VALUES (?, ?, 2, 1, 0, greatest(?, " + fence()
                        + "), ?, ?, " + now + ", " + now + plus + ")";
    }

    String look() {
        return "SELECT" + columns() + ", outgoing FROM idem_record" + OF_RECORD;
    }

    String lapse() {
        return atOnce + "UPDATE idem_record SET attempts = CASE WHEN " + expired() + " THEN 0 ELSE attempts END,"
                + " fingerprint = CASE WHEN " + expired() + " THEN NULL ELSE fingerprint END, steps = CASE WHEN "
                + expired() + " THEN NULL ELSE steps END, state = 3, owner = NULL, result_codec = NULL, result = NULL,"
                + " outgoing = NULL, reason = NULL, at = " + clock + OF_RECORD + " AND (" + expired()
                + " OR (result_codec IS NULL AND ((state = 1 AND at <= " + clock
                + ") OR (? = 1 AND state IN (3, 4)))))" + locked();
    }

    /** Names the fence that was seen: another attempt, and every failure of one, writes another one or more attempts. */
    String claimAgain() {
        return atOnce + "UPDATE idem_record SET state = 2, attempts = least(attempts + 1, 65535), grant_kind = 1,"
                + " fence = greatest(fence + 1, ?, " + fence() + "), owner = ?, fingerprint = coalesce(?, fingerprint),"
                + " at = " + now + ", expires_at = " + now + plus + ", reason = NULL, steps = NULL" + OF_RECORD
                + " AND fence = ? AND attempts = ? AND state = 3 AND result_codec IS NULL AND at <= " + clock
                + locked() + marked();
    }

    private String kept(String more) {
        return "UPDATE idem_record SET result_codec = ?, result = ?, outgoing = ?, relay_at = " + later()
                + ", expires_at = " + now + plus + more + OF_RECORD + " AND owner = ?";
    }

    /** Writes the end of claimed work. */
    String end(String more) {
        return kept(more) + " AND state = 2";
    }

    /** Writes the end of work under a lease. */
    String complete(String more) {
        return kept(more) + " AND state = 1 AND fence = ? AND expires_at > " + clock;
    }

    /** The state of work that is done. */
    String done() {
        return ", at = " + now + ", steps = NULL, state = 2";
    }

    /** The fence is that of the attempt, or the clock if that has not asked for its own. */
    static String failedOnPostgres() {
        InboxSql words = POSTGRESQL;
        return INSERT + ", reason) SELECT ?::varchar, ?::varchar, ?::smallint, 1, 0, coalesce(nullif(?::bigint, 0), "
                + words.fence() + "), ?::bytea, ?::bytea, " + words.later() + ", " + words.later()
                + ", ?::text WHERE " + InboxDialect.TRY_LOCK
                + " ON CONFLICT (key_id, scope) DO UPDATE SET state = excluded.state, attempts = CASE WHEN " + EXPIRED_ROW
                + " THEN 1 WHEN r.owner = excluded.owner THEN r.attempts ELSE least(r.attempts + 1, 65535) END,"
                + " fence = greatest(r.fence, excluded.fence), fingerprint = CASE WHEN " + EXPIRED_ROW
                + " THEN excluded.fingerprint ELSE coalesce(r.fingerprint, excluded.fingerprint) END,"
                + " owner = excluded.owner, at = greatest(r.at, excluded.at), expires_at = excluded.expires_at,"
                + " reason = excluded.reason"
                + " WHERE r.state = 3 OR (r.state = 1 AND r.fence <= excluded.fence) OR " + EXPIRED_ROW;
    }

    static String begunOnPostgres() {
        InboxSql words = POSTGRESQL;
        return INSERT + ") SELECT ?::varchar, ?::varchar, 1, 1, 0, ?::bigint, ?::bytea, NULL, " + words.clock + ", "
                + words.later() + " WHERE " + InboxDialect.TRY_LOCK
                + " ON CONFLICT (key_id, scope) DO UPDATE SET state = 1, fence = excluded.fence, owner = excluded.owner,"
                + " at = excluded.at, steps = CASE WHEN " + EXPIRED_ROW + " THEN NULL ELSE r.steps END,"
                + " expires_at = excluded.expires_at, reason = NULL, result_codec = NULL, result = NULL, outgoing = NULL"
                + " WHERE (r.state IN (1, 3) AND r.result_codec IS NULL AND r.fence <= excluded.fence) OR " + EXPIRED_ROW
                + " RETURNING steps";
    }

    String clean() {
        return claimLocks()
                ? "DELETE FROM idem_record WHERE ctid = ANY (ARRAY (SELECT ctid FROM idem_record WHERE ctid >= ?::tid"
                        + " AND ctid < ?::tid AND expires_at < now() AND relay_at IS NULL FOR UPDATE SKIP LOCKED))"
                : "DELETE FROM idem_record WHERE expires_at < utc_timestamp(6) AND relay_at IS NULL"
                        + " ORDER BY expires_at LIMIT " + InboxDialect.CLEAN_BATCH;
    }

    String later() {
        return clock + plus;
    }

    String age() {
        return claimLocks()
                ? "(date_part('epoch', now() - at) * 1000)::bigint"
                : "timestampdiff(MICROSECOND, at, utc_timestamp(6)) DIV 1000";
    }

    /** Reads rows that the relay is to send. */
    String due() {
        return "SELECT key_id, scope, owner, outgoing FROM idem_record WHERE scope = ? AND owner IS NOT NULL AND relay_at <= "
                + now + " ORDER BY relay_at LIMIT ? FOR UPDATE SKIP LOCKED";
    }

    /** Messages of a row that no relay sends may not have left; work that runs again has another state. */
    String younger() {
        return "SELECT" + columns() + ", (outgoing IS NOT NULL AND relay_at IS NULL) AS to_publish FROM idem_record"
                + " WHERE state = 2 AND expires_at > " + now
                + " AND (key_id, scope) > (?, ?) ORDER BY key_id, scope LIMIT ?";
    }
}
