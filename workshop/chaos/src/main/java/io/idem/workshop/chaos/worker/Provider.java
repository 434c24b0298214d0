package io.idem.workshop.chaos.worker;

import io.idem.IdempotencyContext;
import io.idem.step.StepContext;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The other system that steps call: a table that is written apart from the transaction of the work, and so outlives a
 * killed worker. Acts on every call, even under a key that it knows, so that it records repeated calls instead of
 * preventing them. Thread-safe.
 */
final class Provider {

    private static final long NONE = 0;

    private final JdbcClient jdbc;
    private final TransactionTemplate apart;

    Provider(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.apart = new TransactionTemplate(transactions);
        this.apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    }

    /** Acts, and returns the number of the landing. */
    long call(Lane lane, IdempotencyContext attempt, StepContext step) {
        return add(lane, attempt, step.id(), "LANDED", step.key(), NONE);
    }

    /**
     * Returns the number of the first landing under the key of the step. The question is noted before it is answered:
     * a landing with a later number was not there.
     */
    Optional<Long> find(Lane lane, IdempotencyContext attempt, StepContext step) {
        add(lane, attempt, step.id(), "ASKED", step.key(), NONE);
        return apart.execute(status -> jdbc.sql("SELECT id FROM " + Names.STEPS
                        + " WHERE provider_key = ? AND what = 'LANDED' ORDER BY id LIMIT 1")
                .params(step.key())
                .query(Long.class)
                .optional());
    }

    /** Notes that a step returned a receipt to the work. */
    void returned(Lane lane, IdempotencyContext attempt, String step, long receipt) {
        add(lane, attempt, step, "RETURNED", "-", receipt);
    }

    private long add(Lane lane, IdempotencyContext attempt, String step, String what, String key, long receipt) {
        return apart.execute(status -> jdbc.sql("INSERT INTO " + Names.STEPS
                        + " (lane, idempotency_key, step, what, provider_key, fence, receipt)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id")
                .params(lane.id(), attempt.key().value(), step, what, key, attempt.fence(), receipt)
                .query(Long.class)
                .single());
    }
}
