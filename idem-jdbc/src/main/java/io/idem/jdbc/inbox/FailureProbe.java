package io.idem.jdbc.inbox;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.jdbc.internal.FailureRows;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRows;
import io.idem.jdbc.internal.StoredRecords;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;

/** Tries the statements on the table of failures, with a random key; the caller rolls back. */
final class FailureProbe {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Fingerprint PAYLOAD = Fingerprint.of(new byte[] {0x1D});
    private static final String REASON = "refused \u2013 by the probe";

    private final JdbcTemplate jdbc;
    private final StoredRecords records;
    private final FailureRows failures;
    private final IdempotencyKey key = IdempotencyKey.of("idem-probe-" + UUID.randomUUID());
    private final Request attempt = attempt(new Scope("p".repeat(64)));

    FailureProbe(JdbcTemplate jdbc, InboxDialect dialect) {
        this.jdbc = jdbc;
        this.records = new StoredRecords(dialect);
        this.failures = new InboxRows(jdbc, dialect).failures();
    }

    private Request attempt(Scope scope) {
        Lease lease =
                new Lease(new RecordId(key, scope), OwnerToken.random(new SecureRandom()), 1L << 52, 1, HOUR, HOUR);
        return new Request(lease, PAYLOAD);
    }

    /** @throws IllegalStateException if the table does not behave as needed; the message says how */
    void run() {
        Assert.state(records.fail(jdbc, attempt, HOUR, false, ""), "a failed attempt could not be counted");
        Assert.state(records.fail(jdbc, attempt(new Scope("p")), HOUR, false, ""), "one key cannot fail in two scopes");
        Assert.state(
                read().filter(found -> found.state() == RecordState.FAILED && found.attempts() == 1)
                        .isPresent(),
                "a failed attempt was not found again");
        Assert.state(records.fail(jdbc, attempt, HOUR, true, REASON), "a failed attempt could not be rejected");
        Assert.state(
                read().filter(found -> found.state() == RecordState.REJECTED
                                && found.attempts() == 2
                                && found.fence() == attempt.lease().fence()
                                && found.fingerprint().equals(PAYLOAD)
                                && found.reason().equals(REASON))
                        .isPresent(),
                "attempts were not counted, or came back changed. The table needs PRIMARY KEY (key_id, scope), of these"
                        + " two columns alone");
        failures.forgive(attempt.record());
        Assert.state(read().isEmpty(), "a failure could not be removed");
        Assert.state(records.fail(jdbc, attempt, HOUR, false, ""), "a failed attempt could not be counted again");
        Assert.state(
                failures.claimAfterFailures(attempt, HOUR)
                        .flatMap(FailureRows.ClaimedRow::refusal)
                        .isPresent(),
                "the delay of a failed attempt did not count");
    }

    private Optional<RecordSnapshot> read() {
        return records.of(jdbc, attempt.record());
    }
}
