package io.idem.jdbc.internal;

import java.util.List;

/**
 * The statements on the table for one database. Their parameters are the same for all databases, but for the number of the lock, which
 * is the last one where {@link #claimLocks} says so, of {@link #claim}, {@link #lapse} and {@link #claimAgain}. Durations are
 * microseconds.
 *
 * @param product the name of the database in the driver's words
 * @param script the class-path location of the table's SQL
 * @param newest returns a row if the table and its newest object are there; may fail if not
 * @param lock takes the lock that is held while the script runs
 * @param unlock releases the lock where the end of the transaction does not
 * @param claimLocks whether a claim takes the advisory lock of the record, without which it writes nothing
 * @param claimWaits whether a claim waits for another transaction that has inserted the row, so that its time is limited
 * @param tryLock takes the lock of a record until the end of the transaction and tells whether it did; empty where claims do not lock
 * @param columns the columns that {@link RecordRow} reads
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
        String columns,
        String claim,
        String look,
        String lapse,
        String claimAgain,
        String end,
        String endAgain,
        String complete,
        String completeAgain,
        String clean,
        String later,
        String age,
        String due,
        String younger,
        TableNames names) {

    /** The number of rows that one statement deletes where it uses an index, so that no lock is held for long. */
    public static final int CLEAN_BATCH = 1_000;

    /**
     * Takes PostgreSQL's lock for starting instances, held until the end of the transaction and so also behind a pool
     * of transactions. The number is arbitrary but the same for every instance, here the letters "idem". No statement
     * of the transaction waits longer than a minute.
     */
    public static final String LOCK =
            "SET LOCAL lock_timeout = '60s'; SELECT pg_advisory_xact_lock(" + 0x6964656D + ")";

    /** Takes the lock of a record, in a condition: without it the statement does nothing. */
    public static final String TRY_LOCK = "pg_try_advisory_xact_lock(?::bigint # 'idem_record'::regclass::oid::bigint)";

    static final InboxDialect POSTGRESQL = of(InboxSql.POSTGRESQL, TableNames.PLAIN);
    static final InboxDialect MYSQL = of(InboxSql.MYSQL, TableNames.PLAIN);
    static final List<InboxDialect> ALL = List.of(POSTGRESQL, of(InboxSql.MARIADB, TableNames.PLAIN), MYSQL);

    private static InboxDialect of(InboxSql sql, TableNames names) {
        boolean locks = sql.claimLocks();
        return new InboxDialect(
                sql.product(),
                "META-INF/idem/sql/" + sql.directory() + "/R__idem.sql",
                names.in(sql.newest()),
                names.in(locks ? LOCK : "SELECT get_lock('idem_record', 60)"),
                names.in(locks ? "" : "SELECT release_lock('idem_record')"),
                locks,
                !locks && sql.atOnce().isEmpty(),
                locks ? names.in("SELECT " + TRY_LOCK) : "",
                sql.columns(),
                names.in(sql.claim()),
                names.in(sql.look()),
                names.in(sql.lapse()),
                names.in(sql.claimAgain()),
                names.in(sql.end("")),
                names.in(sql.end(", state = 3")),
                names.in(sql.complete(sql.done())),
                names.in(sql.complete("")),
                names.in(sql.clean()),
                sql.later(),
                sql.age(),
                names.in(sql.due()),
                names.in(sql.younger()),
                names);
    }

    /** Returns these statements for tables of other names. */
    InboxDialect with(TableNames other) {
        InboxSql sql = claimLocks ? InboxSql.POSTGRESQL : claimWaits ? InboxSql.MYSQL : InboxSql.MARIADB;
        return of(sql, other);
    }

    /** Returns the columns that {@link RecordRow} reads on PostgreSQL. */
    public static String columnsOnPostgres() {
        return POSTGRESQL.columns();
    }

    /** Returns another statement on the table, with the names of its tables. */
    public String sql(String statement) {
        return names.in(statement);
    }
}
