package io.idem.jdbc.internal;

import io.idem.StoredResult;

/**
 * The statements on the failures of an inbox that is the store, and on both of its tables.
 *
 * @param claim as {@link InboxDialect#claim}, with key and scope once more as its last parameters; inserts nothing if an
 *     attempt has failed. Empty where reading failures in the insert would lock them until the work ends
 * @param find reads the failure of key and scope
 * @param fail counts an attempt of key and scope, with fence, fingerprint, delay in microseconds, rejected and reason,
 *     unless there is a row of key and scope whose work does not run again, or the work is rejected already
 * @param release lets the next attempt of key, scope and fence begin at once, unless the work is rejected
 * @param clean deletes a batch of failures older than a number of seconds
 * @param records reads completed and failed records in one result, by a condition that applies to both tables
 */
public record FailureStatements(String claim, String find, String fail, String release, String clean, Records records) {

    /** Condition for one record. */
    public static final String OF_RECORD = "key_id = ? AND scope = ?";

    /** Condition for the records of a key. */
    public static final String OF_KEY = "key_id = ?";

    private static final String REST = " FROM idem_inbox_failure WHERE " + OF_RECORD;

    static final FailureStatements POSTGRESQL = new FailureStatements(
            InboxDialect.CLAIM + " AND NOT EXISTS (SELECT FROM idem_inbox_failure WHERE " + OF_RECORD + ")"
                    + InboxDialect.UNLESS_COMMITTED,
            "SELECT attempts, fence, fingerprint, rejected, reason,"
                    + " (extract(epoch FROM not_before - clock_timestamp()) * 1000000)::bigint AS wait_micros" + REST,
            "INSERT INTO idem_inbox_failure AS f"
                    + " (key_id, scope, attempts, fence, fingerprint, not_before, rejected, reason)"
                    + " SELECT k.id, k.scope, 1, k.fence, k.fingerprint,"
                    + " clock_timestamp() + k.delay * interval '1 microsecond', k.rejected, k.reason"
                    + " FROM (VALUES (?::varchar, ?::varchar, ?::bigint, ?::bytea, ?::bigint, ?::boolean, ?::text))"
                    + " k (id, scope, fence, fingerprint, delay, rejected, reason)"
                    + " WHERE NOT EXISTS (SELECT FROM idem_inbox i WHERE i.key_id = k.id AND i.scope = k.scope"
                    + " AND i.result_codec <> '" + StoredResult.AGAIN.codec() + "')"
                    + " ON CONFLICT (key_id, scope) DO UPDATE SET attempts = f.attempts + 1,"
                    + " fence = greatest(f.fence, excluded.fence),"
                    + " fingerprint = CASE WHEN f.fingerprint = '' THEN excluded.fingerprint ELSE f.fingerprint END,"
                    + " not_before = greatest(f.not_before, excluded.not_before), failed_at = now(),"
                    + " rejected = excluded.rejected, reason = excluded.reason WHERE NOT f.rejected",
            "UPDATE idem_inbox_failure SET not_before = clock_timestamp() WHERE " + OF_RECORD
                    + " AND fence = ? AND NOT rejected",
            "DELETE FROM idem_inbox_failure WHERE (key_id, scope) IN (SELECT key_id, scope FROM idem_inbox_failure"
                    + " WHERE failed_at < now() - make_interval(secs => ?) ORDER BY failed_at LIMIT "
                    + InboxDialect.CLEAN_BATCH + " FOR UPDATE SKIP LOCKED)",
            new Records(
                    "(extract(epoch FROM claimed_at) * 1000)::bigint",
                    "(extract(epoch FROM CASE WHEN rejected THEN failed_at ELSE not_before END) * 1000)::bigint",
                    "''::bytea"));

    static final FailureStatements MARIADB = new FailureStatements(
            "",
            "SELECT attempts, fence, fingerprint, rejected, reason,"
                    + " timestampdiff(MICROSECOND, utc_timestamp(6), not_before) AS wait_micros" + REST,
            "INSERT INTO idem_inbox_failure (key_id, scope, attempts, fence, fingerprint, not_before, rejected, reason)"
                    + " SELECT k.id, k.scope, 1, k.fence, k.fingerprint,"
                    + " utc_timestamp(6) + INTERVAL k.delay MICROSECOND, k.rejected, k.reason FROM (SELECT"
                    + " CAST(? AS char CHARACTER SET ascii) COLLATE ascii_bin AS id,"
                    + " CAST(? AS char CHARACTER SET ascii) COLLATE ascii_bin AS scope, CAST(? AS signed) AS fence,"
                    // Without casts a statement that is prepared at the server takes bytes for text.
                    + " CAST(? AS binary) AS fingerprint, CAST(? AS signed) AS delay, CAST(? AS signed) AS rejected,"
                    + " CAST(? AS char CHARACTER SET utf8mb4) AS reason) k"
                    + " WHERE NOT EXISTS (SELECT 1 FROM idem_inbox i WHERE i.key_id = k.id AND i.scope = k.scope"
                    + " AND i.result_codec <> '" + StoredResult.AGAIN.codec() + "')"
                    + " AND NOT EXISTS (SELECT 1 FROM idem_inbox_failure f"
                    + " WHERE f.key_id = k.id AND f.scope = k.scope AND f.rejected)"
                    // Assignments take effect from left to right, so the column that the others ask for comes last.
                    // Another session may have rejected the work since it was looked at.
                    + " ON DUPLICATE KEY UPDATE "
                    + unlessRejected("attempts", "idem_inbox_failure.attempts + 1")
                    + unlessRejected("fence", "greatest(idem_inbox_failure.fence, VALUES(fence))")
                    + unlessRejected(
                            "fingerprint",
                            "IF(idem_inbox_failure.fingerprint = '', VALUES(fingerprint),"
                                    + " idem_inbox_failure.fingerprint)")
                    + unlessRejected("not_before", "greatest(idem_inbox_failure.not_before, VALUES(not_before))")
                    + unlessRejected("failed_at", "utc_timestamp(6)")
                    + unlessRejected("reason", "VALUES(reason)")
                    + "rejected = idem_inbox_failure.rejected OR VALUES(rejected)",
            "UPDATE idem_inbox_failure SET not_before = utc_timestamp(6) WHERE " + OF_RECORD
                    + " AND fence = ? AND NOT rejected",
            "DELETE FROM idem_inbox_failure WHERE failed_at < utc_timestamp(6) - INTERVAL ? SECOND"
                    + " ORDER BY failed_at LIMIT " + InboxDialect.CLEAN_BATCH,
            new Records(
                    "timestampdiff(MICROSECOND, '1970-01-01', claimed_at) DIV 1000",
                    "timestampdiff(MICROSECOND, '1970-01-01', IF(rejected, failed_at, not_before)) DIV 1000",
                    "''"));

    /** An assignment on MariaDB and MySQL, with a comma after it. */
    private static String unlessRejected(String column, String value) {
        return column + " = IF(idem_inbox_failure.rejected, idem_inbox_failure." + column + ", " + value + "), ";
    }

    FailureStatements with(TableNames names) {
        return new FailureStatements(
                names.in(claim), names.in(find), names.in(fail), names.in(release), names.in(clean), records);
    }

    /**
     * Reads completed and failed records alike. Where there are both of one key and scope, the completed one comes
     * first and counts.
     *
     * @param claimedAt the moment of a row, in milliseconds since 1970
     * @param failedAt the moment of a rejection or of the earliest retry, in milliseconds since 1970
     * @param noBytes an empty value of a column of bytes
     */
    public record Records(String claimedAt, String failedAt, String noBytes) {

        /** Returns the statement for a condition, whose parameters are given twice, once for each table. */
        public String where(String condition) {
            return done(condition) + " UNION ALL " + failed(condition) + " ORDER BY key_id, scope, failed";
        }

        /** Returns the statement for a page: after a key and scope and up to a number, twice; then up to a number. */
        public String page() {
            String range = "(key_id, scope) > (?, ?) ORDER BY key_id, scope LIMIT ?";
            return "(" + done(range) + ") UNION ALL (" + failed(range) + ") ORDER BY key_id, scope, failed LIMIT ?";
        }

        private String done(String condition) {
            return "SELECT key_id, scope, CASE WHEN result_codec = '" + StoredResult.AGAIN.codec()
                    + "' THEN 1 ELSE 0 END AS failed, 0 AS rejected, 1 AS attempts, fence, fingerprint, result_codec,"
                    + " result, '' AS reason, " + claimedAt + " AS at_millis FROM idem_inbox WHERE " + condition;
        }

        private String failed(String condition) {
            return "SELECT key_id, scope, 1, CASE WHEN rejected THEN 1 ELSE 0 END, attempts, fence, fingerprint, '', "
                    + noBytes + ", reason, " + failedAt + " FROM idem_inbox_failure WHERE " + condition;
        }
    }
}
