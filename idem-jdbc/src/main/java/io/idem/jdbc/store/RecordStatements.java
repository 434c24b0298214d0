package io.idem.jdbc.store;

import io.idem.StoredResult;
import io.idem.jdbc.internal.InboxDialect;

/**
 * The transitions of records as single statements, each atomic per row, on the database's clock alone. Each changes a
 * row only if its WHERE matches, and leaves every other row unchanged. Those that take a record from nobody's hands do so only with the
 * advisory lock of the record, which work under the inbox holds until its transaction ends; its number is a parameter.
 */
final class RecordStatements {

    private static final String NOW = "clock_timestamp()";
    private static final String MICROSECONDS = "?::bigint * interval '1 microsecond'";
    private static final String EXPIRED = "(r.expires_at <= " + NOW + " AND r.relay_at IS NULL)";
    private static final String LIVE = "(expires_at > " + NOW + " OR relay_at IS NOT NULL)";
    private static final String SAME_OWNER = "r.state = 1 AND r.owner = excluded.owner";
    private static final String MICROS = "(date_part('epoch', " + NOW + ") * 1000000)::bigint";
    private static final String LOCKED = " AND " + InboxDialect.TRY_LOCK;

    /**
     * The fence is odd for a takeover, else even. Messages of work that is to run again are kept. Parameters: key, scope, floor,
     * fingerprint, owner, lease, lease or retention, lock, maximum of attempts twice. Returns no row if the existing row or a lock refuses
     * the acquire.
     */
    static final String ACQUIRE = "INSERT INTO idem_record AS r"
            + " (key_id, scope, state, attempts, grant_kind, fence, fingerprint, owner, at, expires_at)"
            + " SELECT ?::varchar, ?::varchar, 1, 1, 0, (greatest(?::bigint + 1, " + MICROS + ") + 1) / 2 * 2, ?::bytea,"
            + " ?::bytea, " + NOW + " + " + MICROSECONDS + ", " + NOW + " + " + MICROSECONDS
            + " WHERE " + InboxDialect.TRY_LOCK
            + " ON CONFLICT (key_id, scope) DO UPDATE SET state = 1,"
            + " attempts = CASE WHEN " + EXPIRED + " THEN 1 WHEN " + SAME_OWNER + " THEN r.attempts"
            + " ELSE least(r.attempts + 1, 65535) END,"
            + " grant_kind = CASE WHEN " + EXPIRED + " THEN 0 WHEN " + SAME_OWNER + " THEN 3"
            + " WHEN r.state = 3 THEN 1 ELSE 2 END,"
            + " fence = CASE WHEN " + SAME_OWNER + " AND NOT " + EXPIRED + " THEN r.fence"
            + " WHEN r.state = 1 AND NOT " + EXPIRED + " THEN greatest(r.fence + 1, excluded.fence) / 2 * 2 + 1"
            + " ELSE (greatest(r.fence + 1, excluded.fence) + 1) / 2 * 2 END,"
            + " fingerprint = CASE WHEN " + EXPIRED + " THEN excluded.fingerprint WHEN " + SAME_OWNER
            + " THEN r.fingerprint ELSE coalesce(excluded.fingerprint, r.fingerprint) END,"
            + " owner = excluded.owner,"
            + " at = CASE WHEN " + SAME_OWNER + " AND NOT " + EXPIRED
            + " THEN greatest(r.at, excluded.at) ELSE excluded.at END,"
            + " expires_at = CASE WHEN " + SAME_OWNER + " AND NOT " + EXPIRED
            + " THEN greatest(r.at, excluded.expires_at) ELSE excluded.expires_at END,"
            + " result_codec = CASE WHEN " + EXPIRED + " THEN NULL ELSE r.result_codec END,"
            + " result = CASE WHEN " + EXPIRED + " THEN NULL ELSE r.result END,"
            + " outgoing = CASE WHEN " + EXPIRED + " THEN NULL ELSE r.outgoing END, reason = NULL,"
            + " steps = CASE WHEN " + EXPIRED + " THEN NULL ELSE r.steps END"
            + " WHERE " + EXPIRED
            + " OR ((excluded.fingerprint IS NULL OR r.fingerprint IS NULL OR r.fingerprint = excluded.fingerprint)"
            + " AND ((" + SAME_OWNER + ") OR (r.state IN (1, 3) AND r.at <= " + NOW
            + " AND (? = 0 OR r.attempts < ?))))"
            + " RETURNING attempts, fence, grant_kind";

    private static final String UPDATE = "UPDATE idem_record SET ";
    private static final String OF_RECORD = " WHERE key_id = ? AND scope = ?";
    private static final String OWNED =
            OF_RECORD + " AND state = 1 AND owner = ? AND fence = ? AND expires_at > " + NOW;
    private static final String KEPT = "expires_at = " + NOW + " + " + MICROSECONDS;
    private static final String NO_MESSAGES = "outgoing = NULL, relay_at = NULL";

    /** Parameters: lease, lease or retention; key, scope, owner, fence. */
    static final String RENEW = UPDATE + "at = " + NOW + " + " + MICROSECONDS + ", " + KEPT + OWNED;

    /** Parameters: retention, codec, content; key, scope, owner, fence. */
    static final String COMPLETE = UPDATE + "state = 2, at = " + NOW + ", " + KEPT
            + ", result_codec = ?, result = ?, steps = NULL" + OWNED;

    /**
     * Parameters: 3 for FAILED, 1 for PENDING without a lease; 1 for an attempt that does not count, else 0; the number of
     * attempts that the fingerprint must exceed; what is left of the owner; delay, delay or retention; key, scope, owner, fence.
     */
    static final String FAIL = UPDATE + "state = ?, attempts = greatest(0, attempts - ?),"
            + " fingerprint = CASE WHEN attempts > ? THEN fingerprint END, owner = ?, at = " + NOW + " + "
            + MICROSECONDS + ", " + KEPT + OWNED;

    /** Parameters: retention, reason; key, scope, owner, fence. */
    static final String REJECT = UPDATE + "state = 4, owner = NULL, result_codec = NULL, result = NULL, " + NO_MESSAGES
            + ", at = " + NOW + ", " + KEPT + ", reason = ?" + OWNED;

    /**
     * A lapsed PENDING stays PENDING, so that the next grant is a takeover. Parameters: retention; key, scope, fence, lock.
     */
    static final String REOPEN = UPDATE + "state = CASE WHEN state = 1 THEN 1 ELSE 3 END, attempts = 0, owner = NULL, at = "
            + NOW + ", " + KEPT + ", result_codec = NULL, result = NULL, reason = NULL, " + NO_MESSAGES
            + ", steps = CASE WHEN state = 2 THEN NULL ELSE steps END"
            + OF_RECORD + " AND fence = ? AND " + LIVE
            + " AND NOT (state = 1 AND at > " + NOW + ") AND NOT (state IN (1, 3) AND attempts = 0)" + LOCKED;

    /**
     * Messages of work that is to run again may not have left: its next attempt sends them. Parameters: 2 or 3, for COMPLETED or FAILED,
     * twice; retention, codec of the result; key, scope, fence, lock.
     */
    static final String FORCE = UPDATE
            + "state = ?, steps = CASE WHEN ? = 2 THEN NULL ELSE steps END, fence = fence + 1, owner = NULL, at = "
            + NOW + ", " + KEPT + ", result_codec = ?, reason = NULL"
            + OF_RECORD + " AND fence = ? AND " + LIVE + " AND state IN (1, 3) AND result_codec IS NULL"
            + LOCKED;

    /** A step is "fence codec result"; an erased one has no result. */
    private static final String ERASED_STEPS = "(SELECT jsonb_object_agg(key, CASE WHEN value LIKE '%  '"
            + " THEN value ELSE split_part(value, ' ', 1) || ' " + StoredResult.OMITTED.codec() + " ' END)"
            + " FROM jsonb_each_text(steps))";

    /** Parameters: the placeholder for the result; key, scope, the placeholder again. */
    static final String ERASE = UPDATE
            + "result_codec = CASE WHEN state = 2 AND result_codec IS NOT NULL THEN ? END, result = NULL, reason = NULL,"
            + " steps = " + ERASED_STEPS + OF_RECORD + " AND " + LIVE
            + " AND ((state = 2 AND result_codec <> ?) OR (state = 4 AND reason <> '')"
            + " OR (state IN (2, 4) AND steps <> " + ERASED_STEPS + "))";

    /** The first value of a step stays. Parameters: step, its value; key, scope, owner, fence. */
    static final String REMEMBER =
            UPDATE + "steps = jsonb_build_object(?::text, ?::text) || coalesce(steps, '{}')" + OWNED;

    /** Returns a row without a step if there are none. Parameters: key, scope, owner, fence. */
    static final String RECALL = "SELECT step.key, step.value FROM idem_record LEFT JOIN LATERAL jsonb_each_text(steps)"
            + " AS step ON true" + OWNED;

    /** Parameters: key, scope. */
    static final String READ_STEPS =
            "SELECT step.key, step.value FROM idem_record, jsonb_each_text(steps) AS step" + OF_RECORD + " AND " + LIVE;

    private static final String SELECT = "SELECT" + InboxDialect.columnsOnPostgres() + " FROM idem_record ";

    /** Parameters: key, scope. */
    static final String READ = SELECT + OF_RECORD + " AND " + LIVE;

    /** Answers once synchronous standbys have the row: a lock is a write, whose commit waits for them. Parameters: key, scope. */
    static final String READ_REPLICATED = READ + " FOR UPDATE";

    /** Parameter: key. */
    static final String READ_ALL =
            SELECT + "JOIN idem_scope ON name = scope WHERE key_id = ? AND " + LIVE + " ORDER BY scope";

    /**
     * Parameters: key and scope of the last row of the page before, number of rows. Reads the primary key in order;
     * includes expired rows.
     */
    static final String LIST = SELECT + "WHERE (key_id, scope) > (?, ?) ORDER BY key_id, scope LIMIT ?";

    /** Parameter: scope. */
    static final String ANNOUNCE = "INSERT INTO idem_scope (name) VALUES (?) ON CONFLICT DO NOTHING";

    private RecordStatements() {}
}
