package io.idem.jdbc.internal;

/**
 * The statements on attempts whose transaction is the last phase of their work. Their last parameters are key and scope, and a
 * fence or an owner behind them where that is said.
 *
 * @param read reads fence, steps as text, owner, lapsed, fingerprint, the rest of the lease and the clock, both in microseconds
 * @param insert inserts key, scope and fence unless there is a row
 * @param raise sets the fence
 * @param lease sets fence, owner, number of lapsed leases, fingerprint, and a lease of a number of microseconds
 * @param renew sets a lease of a number of microseconds, for a fence and owner
 * @param release ends the lease, for a fence
 * @param remember adds a step, given by its name and its value, unless there is one of that name, for a fence
 * @param replace sets the steps
 * @param reopen forgets the lapsed leases, and gives the last of them to an owner, for a fence, unless it lasts
 * @param forget removes the row unless its fence is greater than one behind key and scope
 * @param forgetAndTell the same, with key and scope once more behind the fence; answers with the steps of the row, with none
 *     if there was no row, and not at all if the row stays. Empty where a removal that finds no row locks the gap in which
 *     others insert theirs
 * @param clean deletes rows without a lease that were touched last longer ago than a number of seconds
 */
public record AttemptStatements(
        String read,
        String insert,
        String raise,
        String lease,
        String renew,
        String release,
        String remember,
        String replace,
        String reopen,
        String forget,
        String forgetAndTell,
        String clean) {

    private static final String OF_RECORD = " WHERE " + FailureStatements.OF_RECORD;
    private static final String OF_FENCE = OF_RECORD + " AND fence = ?";
    private static final String FORGET = "DELETE FROM idem_inbox_attempt" + OF_RECORD + " AND fence <= ?";

    static final AttemptStatements POSTGRESQL = of(
            new Words(
                    "clock_timestamp()",
                    " + ? * interval '1 microsecond'",
                    "(extract(epoch FROM lease_until - clock_timestamp()) * 1000000)::bigint",
                    "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"),
            "INSERT INTO idem_inbox_attempt (key_id, scope, fence) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            "jsonb_build_object(?::text, ?::text) || steps",
            "?::jsonb",
            "WITH removed AS (" + FORGET + " RETURNING steps) SELECT coalesce((SELECT steps FROM removed), '{}')"
                    + " WHERE EXISTS (SELECT FROM removed) OR NOT EXISTS (SELECT FROM idem_inbox_attempt" + OF_RECORD
                    + ")",
            "DELETE FROM idem_inbox_attempt WHERE (key_id, scope) IN (SELECT key_id, scope FROM idem_inbox_attempt"
                    + " WHERE touched_at < now() - make_interval(secs => ?) AND lease_until < now() LIMIT "
                    + InboxDialect.CLEAN_BATCH + " FOR UPDATE SKIP LOCKED)");

    static final AttemptStatements MARIADB = of(
            new Words(
                    "utc_timestamp(6)",
                    " + INTERVAL ? MICROSECOND",
                    "timestampdiff(MICROSECOND, utc_timestamp(6), lease_until)",
                    "timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))"),
            "INSERT IGNORE INTO idem_inbox_attempt (key_id, scope, fence) VALUES (?, ?, ?)",
            "json_insert(steps, concat('$.\"', ?, '\"'), ?)",
            "?",
            "",
            "DELETE FROM idem_inbox_attempt WHERE touched_at < utc_timestamp(6) - INTERVAL ? SECOND"
                    + " AND lease_until < utc_timestamp(6) ORDER BY touched_at LIMIT " + InboxDialect.CLEAN_BATCH);

    private static AttemptStatements of(
            Words words, String insert, String step, String steps, String forgetAndTell, String clean) {
        String update = "UPDATE idem_inbox_attempt SET touched_at = " + words.now() + ", ";
        String leased = "lease_until = " + words.now() + words.later();
        return new AttemptStatements(
                "SELECT fence, steps, owner, lapsed, fingerprint, " + words.rest() + " AS rest_micros, " + words.clock()
                        + " AS now_micros FROM idem_inbox_attempt" + OF_RECORD,
                insert,
                update + "fence = ?" + OF_RECORD,
                update + "fence = ?, owner = ?, lapsed = ?, fingerprint = ?, " + leased + OF_RECORD,
                update + leased + OF_FENCE + " AND owner = ?",
                update + "owner = '', lease_until = " + words.now() + OF_FENCE,
                update + "steps = " + step + OF_FENCE,
                update + "steps = " + steps + OF_RECORD,
                update
                        + "lapsed = CASE WHEN owner = '' THEN 0 ELSE -1 END, owner = CASE WHEN owner = '' THEN '' ELSE ? END"
                        + OF_FENCE + " AND lease_until < " + words.now(),
                FORGET,
                forgetAndTell,
                clean);
    }

    /** Returns these statements for tables of other names. */
    AttemptStatements with(TableNames names) {
        return new AttemptStatements(
                names.in(read),
                names.in(insert),
                names.in(raise),
                names.in(lease),
                names.in(renew),
                names.in(release),
                names.in(remember),
                names.in(replace),
                names.in(reopen),
                names.in(forget),
                names.in(forgetAndTell),
                names.in(clean));
    }

    /**
     * The words of a database about time.
     *
     * @param now the clock
     * @param later what follows a moment for a number of microseconds after it
     * @param rest the microseconds until the end of the lease
     * @param clock the microseconds since 1970
     */
    private record Words(String now, String later, String rest, String clock) {}
}
