package io.idem.jdbc.internal;

import io.idem.Claim;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The statements on failures that take part in the transaction of the calling thread, which is that of the work.
 * Thread-safe.
 */
public record FailureRows(JdbcTemplate jdbc, InboxDialect dialect, InboxRows rows) {

    private static final String FORGIVE = "DELETE FROM idem_inbox_failure WHERE " + FailureStatements.OF_RECORD;

    /**
     * Claims the row of a record. One statement also looks for failed attempts where it can, and inserts nothing if there
     * is one: {@link #claimAfterFailures} then tells whether the work may run.
     *
     * @param longestWait the longest wait, in whole seconds, rounded up
     * @return the claimed row; empty if a row was committed, another transaction has the lock, or the statement found a
     *     failed attempt
     */
    public Optional<ClaimedRow> claim(Request request, Duration longestWait) {
        if (dialect.failures().claim().isEmpty()) {
            return claimAfterFailures(request, longestWait);
        }
        List<Long> fences = jdbc.query(
                dialect.failures().claim(),
                statement -> {
                    Parameters unused =
                            rows.bindClaim(statement, request, longestWait).add(request.record());
                },
                (row, number) -> row.getLong("fence"));
        return fences.stream()
                .findFirst()
                .map(fence -> new ClaimedRow(InboxRows.claimed(request.lease(), fence, 1), Optional.empty()));
    }

    /**
     * Claims the row of a record and then looks at its failed attempts.
     *
     * @return the claimed row; empty if a row was committed, or another transaction has the lock
     */
    public Optional<ClaimedRow> claimAfterFailures(Request request, Duration longestWait) {
        return rows.claim(request, longestWait).map(lease -> claimed(request, lease));
    }

    private ClaimedRow claimed(Request request, Lease lease) {
        Optional<FailureRow> failure = find(request.record());
        int attempts = failure.map(FailureRow::attempts).orElse(0);
        return new ClaimedRow(
                InboxRows.claimed(lease, lease.fence(), attempts + 1),
                failure.flatMap(found -> found.refusal(request)));
    }

    /**
     * A claimed row.
     *
     * @param lease the lease with the fence of the row and the number of the attempt
     * @param refusal the answer if failed attempts forbid the work; the caller then rolls the claim back
     */
    public record ClaimedRow(Lease lease, Optional<Claim> refusal) {}

    /** Returns the failed attempts of a record. */
    public Optional<FailureRow> find(RecordId record) {
        return jdbc
                .query(
                        dialect.failures().find(),
                        (row, number) -> read(row),
                        record.key().id(),
                        record.scope().name())
                .stream()
                .findFirst();
    }

    private static FailureRow read(ResultSet row) throws SQLException {
        return new FailureRow(
                row.getInt("attempts"),
                row.getLong("fence"),
                InboxRows.fingerprint(row),
                row.getBoolean("rejected"),
                row.getString("reason"),
                Duration.of(row.getLong("wait_micros"), ChronoUnit.MICROS));
    }

    /** Removes the failures of work that takes effect. */
    public void forgive(RecordId record) {
        int unused = jdbc.update(
                dialect.sql(FORGIVE), record.key().id(), record.scope().name());
    }
}
