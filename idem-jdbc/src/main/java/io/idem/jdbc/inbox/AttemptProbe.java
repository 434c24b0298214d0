package io.idem.jdbc.inbox;

import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.internal.AttemptRow;
import io.idem.jdbc.internal.AttemptRows;
import io.idem.jdbc.internal.Durability;
import io.idem.jdbc.internal.InboxDialect;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.dao.DataRetrievalFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tries the statements on attempts, with the record of a random key. */
final class AttemptProbe {

    private static final Duration ANY = Duration.ofMinutes(1);

    private AttemptProbe() {}

    /**
     * Runs the statements in the transaction of the caller, who rolls back.
     *
     * @throws org.springframework.dao.DataAccessException if the table cannot be used
     */
    static void run(JdbcTemplate jdbc, InboxDialect dialect) {
        Durability.requireLasting(jdbc, dialect, "idem_inbox_attempt");
        AttemptRows rows = new AttemptRows(jdbc, dialect);
        Lease probe = new Lease(
                new RecordId(IdempotencyKey.of("check-" + UUID.randomUUID()), new Scope("idem-check")),
                OwnerToken.random(new SecureRandom()),
                2,
                1,
                ANY,
                ANY);
        RememberedStep step =
                new RememberedStep("a.b#1", Kind.DONE, probe.fence(), StoredResult.of("json", new byte[] {-1, -2, -3}));
        AttemptRow made = rows.lock(probe.record());
        rows.raise(probe.record(), probe.fence());
        boolean works = made.isNew()
                && rows.remember(probe, step)
                && rows.lock(probe.record()).steps().equals(List.of(step))
                && rows.forget(probe).isPresent()
                && rows.find(probe.record()).isEmpty();
        if (!works) {
            throw new DataRetrievalFailureException("it does not keep what is written to it");
        }
    }
}
