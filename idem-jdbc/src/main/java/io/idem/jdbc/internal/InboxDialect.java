package io.idem.jdbc.internal;

import java.util.List;

/**
 * The statements on the table for one database. Their parameters are the same for all databases, but for the number of the lock, which
 * is the last one where {@link #claimLocks} says so, of {@link #claim}, {@link #lapse}, {@link #claimAgain} and of {@link Upsert#insert}.
 * Durations are microseconds.
 *
 * @param product the name of the database in the driver's words
 * @param script the class-path location of the table's SQL
 * @param newest returns a row if the table and its newest object are there; may fail if not
 * @param lock takes the lock that is held while the script runs
 * @param unlock releases the lock where the end of the transaction does not
 * @param claimLocks whether a claim takes the advisory lock of the record, without which it writes nothing
 * @param claimWaits whether a claim waits for another transaction that has inserted the row, so that its time is limited
 * @param tryLock takes the lock of a record until the end of the transaction and tells whether it did; empty where claims do not lock
 * @param claim inserts the row of done work: key, scope, least fence, owner, fingerprint, retention
 * @param look reads the row of key and scope
 * @param lapse ends a lease that has ended without a word of its owner, or forgets what has expired: 1 to end failures and rejections
 *     too, else 0, behind key and scope
 * @param claimAgain makes a failed row that of done work: least fence, owner, fingerprint, retention, and key, scope, fence and attempts
 *     as they were seen
 * @param end writes codec, result, messages, their delay and the retention to the claimed row of key, scope and owner
 * @param endAgain the same for work that is to run again
 * @param complete the same as {@link #end} for a lease of key, scope, owner and fence
 * @param completeAgain the same for work that is to run again
 * @param failed writes the end of claimed work without effect
 * @param begun writes that an attempt with a lease of another store remembers steps
 * @param clean deletes a batch of expired rows: on PostgreSQL of the pages from one number to another
 * @param later the time after a duration, which may be null
 * @param age the milliseconds since a row was written, by the clock of the database
 * @param due reads rows of a scope that the relay is to send, up to a number, and locks them; skips those that another
 *     transaction has locked
 * @param younger reads done work that has not expired, after a key and scope, in their order, up to a number
 * @param names the names of tables in statements and scripts
 */
public record InboxDialect(
        String product,
        String script,
        String newest,
        String lock,
        String unlock,
        boolean claimLocks,
        boolean claimWaits,
        String tryLock,
        String claim,
        String look,
        String lapse,
        String claimAgain,
        String end,
        String endAgain,
        String complete,
        String completeAgain,
        Upsert failed,
        Upsert begun,
        String clean,
        String later,
        String age,
        String due,
        String younger,
        TableNames names) {

    /** The number of rows that one statement deletes where it uses an index, so that no lock is held for long. */
    public static final int CLEAN_BATCH = 1_000;

    /** Condition for one record. */
    static final String OF_RECORD = " WHERE key_id = ? AND scope = ?";

    /**
     * Takes PostgreSQL's lock for starting instances, held until the end of the transaction and so also behind a pool
     * of transactions. The number is arbitrary but the same for every instance, here the letters "idem". No statement
     * of the transaction waits longer than a minute.
     */
    public static final String LOCK =
            "SET LOCAL lock_timeout = '60s'; SELECT pg_advisory_xact_lock(" + 0x6964656D + ")";

    /** Takes the lock of a record, in a condition: without it the statement does nothing. */
    public static final String TRY_LOCK = "pg_try_advisory_xact_lock(?::bigint # 'idem_record'::regclass::oid::bigint)";

    private static final String ROOT = "META-INF/idem/sql/";

    static final InboxDialect POSTGRESQL = postgresql();
    static final InboxDialect MARIADB = mariaDb();
    static final InboxDialect MYSQL = mySql();
    static final List<InboxDialect> ALL = List.of(POSTGRESQL, MARIADB, MYSQL);

    /**
     * The statements of a write that makes the row if there is none.
     *
     * @param lock locks the row at once, or fails; empty where the insert does all
     * @param update updates the row if the write may
     * @param insert inserts the row; on PostgreSQL it also updates it if the write may
     */
    public record Upsert(String lock, String update, String insert) {

        Upsert in(TableNames names) {
            return new Upsert(names.in(lock), names.in(update), names.in(insert));
        }
    }

    /**
     * The words of a database about time.
     *
     * @param now the clock, perhaps as of the begin of the transaction
     * @param clock the clock
     * @param plus what follows a moment for a number of microseconds after it
     * @param before what stands before a moment for its microseconds since 1970
     * @param after what stands behind it
     */
    record Words(String now, String clock, String plus, String before, String after) {

        static final Words POSTGRESQL = new Words(
                "now()",
                "clock_timestamp()",
                " + ?::bigint * interval '1 microsecond'",
                "(date_part('epoch', ",
                ") * 1000000)::bigint");

        static final Words MARIADB = new Words(
                "utc_timestamp(6)",
                "utc_timestamp(6)",
                " + INTERVAL ? MICROSECOND",
                "timestampdiff(MICROSECOND, '1970-01-01', ",
                ")");

        String micros(String moment) {
            return before + moment + after;
        }

        String fence() {
            return micros(clock);
        }

        /** The condition of a row that counts as absent: one with messages that are still to be sent does not. */
        String expired() {
            return "(expires_at <= " + clock + " AND relay_at IS NULL)";
        }

        /** The columns that {@link RecordRow} reads. */
        String columns() {
            return " key_id, scope, state, attempts, fence, owner, fingerprint, result_codec, result, reason, relay_at, "
                    + micros("at") + " AS at_micros, " + micros("expires_at") + " AS kept_micros, " + fence()
                    + " AS now_micros";
        }

        String look() {
            return "SELECT" + columns() + ", outgoing FROM idem_record" + OF_RECORD;
        }

        String lapse() {
            return "UPDATE idem_record SET attempts = CASE WHEN " + expired() + " THEN 0 ELSE attempts END, fingerprint ="
                    + " CASE WHEN " + expired() + " THEN NULL ELSE fingerprint END, steps = CASE WHEN " + expired()
                    + " THEN NULL ELSE steps END, state = 3, owner = NULL, result_codec = NULL, result = NULL,"
                    + " outgoing = NULL, reason = NULL, at = " + clock + OF_RECORD + " AND (" + expired()
                    + " OR (result_codec IS NULL AND ((state = 1 AND at <= " + clock
                    + ") OR (? = 1 AND state IN (3, 4)))))";
        }

        /** Names the fence that was seen: another attempt, and every failure of one, writes another one or more attempts. */
        String claimAgain() {
            return "UPDATE idem_record SET state = 2, attempts = least(attempts + 1, 65535), grant_kind = 1,"
                    + " fence = greatest(fence + 1, ?, " + fence() + "), owner = ?, fingerprint = coalesce(?, fingerprint),"
                    + " at = " + now + ", expires_at = " + now + plus + ", reason = NULL, steps = NULL" + OF_RECORD
                    + " AND fence = ? AND attempts = ? AND state = 3 AND result_codec IS NULL AND at <= " + clock;
        }

        private String kept(String more) {
            return "UPDATE idem_record SET result_codec = ?, result = ?, outgoing = ?, relay_at = " + clock + plus
                    + ", expires_at = " + now + plus + more + OF_RECORD + " AND owner = ?";
        }

        String end() {
            return kept("") + " AND state = 2";
        }

        String endAgain() {
            return kept(", state = 3") + " AND state = 2";
        }

        String complete() {
            return kept(", at = " + now + ", steps = NULL, state = 2") + leased();
        }

        String completeAgain() {
            return kept("") + leased();
        }

        private String leased() {
            return " AND state = 1 AND fence = ? AND expires_at > " + clock;
        }

        /** The failure's fence, or the clock if the attempt has not asked for its own. */
        private String failureFence() {
            return "coalesce(nullif(?, 0), " + fence() + ")";
        }

        /** Reads rows that the relay is to send. */
        String due() {
            return "SELECT key_id, scope, owner, outgoing FROM idem_record WHERE scope = ? AND owner IS NOT NULL AND relay_at <= "
                    + now
                    + " ORDER BY relay_at LIMIT ? FOR UPDATE SKIP LOCKED";
        }

        /** Messages of a row that no relay sends may not have left; work that runs again has another state. */
        String younger() {
            return "SELECT" + columns() + ", (outgoing IS NOT NULL AND relay_at IS NULL) AS to_publish FROM idem_record"
                    + " WHERE state = 2 AND expires_at > " + now
                    + " AND (key_id, scope) > (?, ?) ORDER BY key_id, scope LIMIT ?";
        }
    }

    private static final String INSERT = "INSERT INTO idem_record";
    private static final String CLAIMED =
            " (key_id, scope, state, attempts, grant_kind, fence, owner, fingerprint, at, expires_at) ";

    private static InboxDialect postgresql() {
        Words words = Words.POSTGRESQL;
        String locked = " WHERE " + TRY_LOCK;
        String marked = " AND " + PostgresTransactions.MARK + " = 'on'";
        return new InboxDialect(
                "PostgreSQL",
                ROOT + "postgresql/R__idem.sql",
                "SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                        + " WHERE i.indrelid = to_regclass('idem_record') AND c.relname = 'idem_record_relay_at'"
                        + " AND to_regclass('idem_scope') IS NOT NULL",
                LOCK,
                "",
                true,
                false,
                "SELECT " + TRY_LOCK,
                // The select list is evaluated after the lock was taken, so that fences grow in the order of the owners.
                INSERT + CLAIMED + "SELECT ?::varchar, ?::varchar, 2, 1, 0, greatest(?::bigint, " + words.fence()
                        + "), ?::bytea, ?::bytea, now(), now()" + words.plus() + locked + marked
                        + " ON CONFLICT (key_id, scope) DO NOTHING",
                words.look(),
                words.lapse() + " AND " + TRY_LOCK,
                words.claimAgain() + " AND " + TRY_LOCK + marked,
                words.end(),
                words.endAgain(),
                words.complete(),
                words.completeAgain(),
                new Upsert("", "", postgresFailed(words)),
                new Upsert("", "", postgresBegun(words)),
                "DELETE FROM idem_record WHERE ctid = ANY (ARRAY (SELECT ctid FROM idem_record WHERE ctid >= ?::tid"
                        + " AND ctid < ?::tid AND expires_at < now() AND relay_at IS NULL FOR UPDATE SKIP LOCKED))",
                words.clock() + words.plus(),
                "(date_part('epoch', now() - at) * 1000)::bigint",
                words.due(),
                words.younger(),
                TableNames.PLAIN);
    }

    private static String postgresFailed(Words words) {
        String expired = "(r.expires_at <= " + words.clock() + " AND r.relay_at IS NULL)";
        return INSERT + " AS r (key_id, scope, state, attempts, grant_kind, fence, owner, fingerprint, at, expires_at,"
                + " reason) SELECT ?::varchar, ?::varchar, ?::smallint, 1, 0, coalesce(nullif(?::bigint, 0), "
                + words.fence() + "), ?::bytea, ?::bytea, " + words.clock() + words.plus() + ", " + words.clock()
                + words.plus() + ", ?::text WHERE " + TRY_LOCK
                + " ON CONFLICT (key_id, scope) DO UPDATE SET state = excluded.state, attempts = CASE WHEN " + expired
                + " THEN 1 WHEN r.owner = excluded.owner THEN r.attempts ELSE least(r.attempts + 1, 65535) END,"
                + " fence = greatest(r.fence, excluded.fence), fingerprint = CASE WHEN " + expired
                + " THEN excluded.fingerprint ELSE coalesce(r.fingerprint, excluded.fingerprint) END,"
                + " owner = excluded.owner, at = greatest(r.at, excluded.at), expires_at = excluded.expires_at,"
                + " reason = excluded.reason"
                + " WHERE r.state = 3 OR (r.state = 1 AND r.fence <= excluded.fence) OR " + expired;
    }

    private static String postgresBegun(Words words) {
        String expired = "(r.expires_at <= " + words.clock() + " AND r.relay_at IS NULL)";
        return INSERT + " AS r" + CLAIMED + "SELECT ?::varchar, ?::varchar, 1, 1, 0, ?::bigint, ?::bytea, NULL, "
                + words.clock() + ", " + words.clock() + words.plus() + " WHERE " + TRY_LOCK
                + " ON CONFLICT (key_id, scope) DO UPDATE SET state = 1, fence = excluded.fence, owner = excluded.owner,"
                + " at = excluded.at, steps = CASE WHEN " + expired + " THEN NULL ELSE r.steps END,"
                + " expires_at = excluded.expires_at, reason = NULL WHERE (r.state IN (1, 3) AND r.result_codec IS NULL"
                + " AND r.fence <= excluded.fence) OR " + expired + " RETURNING steps";
    }

    /** What a statement of MariaDB begins with that is not to wait for the lock of a row. */
    private static final String AT_ONCE =
            "SET STATEMENT innodb_lock_wait_timeout = 0, max_statement_time = 30 FOR ";

    private static InboxDialect mariaDb() {
        Words words = Words.MARIADB;
        String claim = INSERT + CLAIMED + "VALUES (?, ?, 2, 1, 0, greatest(?, " + words.fence() + "), ?, ?, "
                + words.now() + ", " + words.now() + words.plus() + ")";
        return new InboxDialect(
                "MariaDB",
                ROOT + "mariadb/R__idem.sql",
                "SELECT count(*) FROM idem_record WHERE 1 = 0",
                "SELECT get_lock('idem_record', 60)",
                "SELECT release_lock('idem_record')",
                false,
                false,
                "",
                AT_ONCE + claim,
                words.look(),
                AT_ONCE + words.lapse(),
                AT_ONCE + words.claimAgain(),
                words.end(),
                words.endAgain(),
                words.complete(),
                words.completeAgain(),
                new Upsert(lockAtOnce(), mariaDbFailed(words), mariaDbFailure(words, AT_ONCE)),
                new Upsert(lockAtOnce(), mariaDbBegun(words), mariaDbBeginning(words, AT_ONCE)),
                "DELETE FROM idem_record WHERE expires_at < utc_timestamp(6) AND relay_at IS NULL"
                        + " ORDER BY expires_at LIMIT " + CLEAN_BATCH,
                words.clock() + words.plus(),
                "timestampdiff(MICROSECOND, at, utc_timestamp(6)) DIV 1000",
                words.due(),
                words.younger(),
                TableNames.PLAIN);
    }

    private static String lockAtOnce() {
        return "SELECT fence FROM idem_record" + OF_RECORD + " FOR UPDATE NOWAIT";
    }

    private static String mariaDbFailed(Words words) {
        return "UPDATE idem_record SET attempts = CASE WHEN " + words.expired()
                + " THEN 1 WHEN owner = ? THEN attempts ELSE least(attempts + 1, 65535) END, fingerprint = CASE WHEN "
                + words.expired() + " THEN ? ELSE coalesce(fingerprint, ?) END, owner = ?, fence = greatest(fence, "
                + words.failureFence() + "), at = greatest(at, " + words.clock() + words.plus() + "), expires_at = "
                + words.clock() + words.plus() + ", reason = ?, state = ?" + OF_RECORD
                + " AND (state = 3 OR (state = 1 AND fence <= " + words.failureFence() + ") OR " + words.expired() + ")";
    }

    private static String mariaDbFailure(Words words, String how) {
        return how + INSERT + " (key_id, scope, state, attempts, grant_kind, fence, owner, fingerprint, at, expires_at,"
                + " reason) VALUES (?, ?, ?, 1, 0, " + words.failureFence() + ", ?, ?, " + words.clock() + words.plus()
                + ", " + words.clock() + words.plus() + ", ?)";
    }

    private static String mariaDbBegun(Words words) {
        return "UPDATE idem_record SET steps = CASE WHEN " + words.expired() + " THEN NULL ELSE steps END, state = 1,"
                + " owner = ?, at = " + words.clock() + ", reason = NULL, expires_at = " + words.clock() + words.plus()
                + ", fence = ?" + OF_RECORD + " AND ((state IN (1, 3) AND result_codec IS NULL AND fence <= ?) OR "
                + words.expired() + ")";
    }

    private static String mariaDbBeginning(Words words, String how) {
        return how + INSERT + CLAIMED + "VALUES (?, ?, 1, 1, 0, ?, ?, NULL, " + words.clock() + ", " + words.clock()
                + words.plus() + ")";
    }

    private static InboxDialect mySql() {
        Words words = Words.MARIADB;
        return new InboxDialect(
                "MySQL",
                ROOT + "mysql/R__idem.sql",
                MARIADB.newest(),
                MARIADB.lock(),
                MARIADB.unlock(),
                false,
                true,
                "",
                MARIADB.claim().substring(AT_ONCE.length()),
                MARIADB.look(),
                words.lapse(),
                words.claimAgain(),
                MARIADB.end(),
                MARIADB.endAgain(),
                MARIADB.complete(),
                MARIADB.completeAgain(),
                new Upsert(lockAtOnce(), mariaDbFailed(words), mariaDbFailure(words, "")),
                new Upsert(lockAtOnce(), mariaDbBegun(words), mariaDbBeginning(words, "")),
                MARIADB.clean(),
                MARIADB.later(),
                MARIADB.age(),
                MARIADB.due(),
                MARIADB.younger(),
                TableNames.PLAIN);
    }

    /** Returns the columns that {@link RecordRow} reads on PostgreSQL. */
    public static String columnsOnPostgres() {
        return Words.POSTGRESQL.columns();
    }

    /** Returns the columns that {@link RecordRow} reads. */
    public String columns() {
        return (claimLocks ? Words.POSTGRESQL : Words.MARIADB).columns();
    }

    /** Returns these statements for tables of other names. */
    InboxDialect with(TableNames other) {
        return new InboxDialect(
                product,
                script,
                other.in(newest),
                other.in(lock),
                other.in(unlock),
                claimLocks,
                claimWaits,
                other.in(tryLock),
                other.in(claim),
                other.in(look),
                other.in(lapse),
                other.in(claimAgain),
                other.in(end),
                other.in(endAgain),
                other.in(complete),
                other.in(completeAgain),
                failed.in(other),
                begun.in(other),
                other.in(clean),
                later,
                age,
                other.in(due),
                other.in(younger),
                other);
    }

    /** Returns another statement on the table, with the names of its tables. */
    public String sql(String statement) {
        return names.in(statement);
    }
}
