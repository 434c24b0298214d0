package io.idem.gateway;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyException;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoreAnswer;
import io.idem.http.RouteOptions;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a client's retry reopen an operation that a consumer has rejected: the request is published once more under its
 * key, and the consumer runs it. A coded route uses both parts, {@link #reopening} as its options and {@link #opened}
 * around its hand-off. Thread-safe; every reopening is logged with the key's digest.
 *
 * <p>Reopening takes two steps, in this order. First the intake's own record is reopened, guarded by the fence that was
 * read together with the rejection: of concurrent retries only one is granted, and one that read an earlier state
 * changes nothing. Then, under that grant and before the message is published, the consumers' records are reopened,
 * each guarded by its fence, so that the published message will run. If the process dies in between, the intake's
 * record stays open, and the next retry does the rest.
 */
public final class RejectedOperations {

    private static final Logger LOG = LoggerFactory.getLogger(RejectedOperations.class);

    private final IdempotencyStore store;
    private final ScopePolicies policies;

    /**
     * Creates an instance for a store.
     *
     * @param policies give the retention of reopened records of consumers until their next attempt
     */
    public RejectedOperations(IdempotencyStore store, ScopePolicies policies) {
        this.store = store;
        this.policies = policies;
    }

    /**
     * Returns options for a route whose stored answer is not replayed once a consumer has rejected the operation.
     *
     * @param consumers the scopes whose rejections count; empty for all scopes but the intake's own
     */
    public Consumer<RouteOptions.Builder> reopening(Set<Scope> consumers) {
        return options -> {
            Duration retention = options.build().policy().retention();
            options.replayCondition(record -> open(record, consumers, retention));
        };
    }

    private boolean open(RecordId intake, Set<Scope> consumers, Duration retention) {
        List<RecordSnapshot> story = store.inspectAll(intake.key());
        if (story.stream().noneMatch(rejected(consumers, intake.scope()))) {
            return false;
        }
        story.stream()
                .filter(record -> record.scope().equals(intake.scope()) && record.state() == RecordState.COMPLETED)
                .forEach(own -> open(intake, own.fence(), retention));
        return true;
    }

    /**
     * Returns the step before the hand-off, which reopens the consumers' records. If it fails, the request is refused
     * with 503 and its key is released.
     */
    public Middleware opened(Set<Scope> consumers) {
        return (request, next) -> {
            Scope own = IdempotencyContext.current().orElseThrow().scope();
            try {
                openConsumers(new RecordId(request.key(), own), consumers);
            } catch (IdempotencyException silent) {
                throw new HandOffFailedException("The rejected records of consumers cannot be reopened", silent);
            }
            return next.handle(request);
        };
    }

    void openConsumers(RecordId intake, Set<Scope> consumers) {
        store.inspectAll(intake.key()).stream()
                .filter(rejected(consumers, intake.scope()))
                .forEach(record -> open(
                        new RecordId(intake.key(), record.scope()),
                        record.fence(),
                        policies.of(record.scope()).retention()));
    }

    private static Predicate<RecordSnapshot> rejected(Set<Scope> consumers, Scope own) {
        return record -> record.state() == RecordState.REJECTED
                && !record.scope().equals(own)
                && (consumers.isEmpty() || consumers.contains(record.scope()));
    }

    private void open(RecordId record, long fence, Duration retention) {
        boolean opened = store.reopen(record, fence, retention) instanceof StoreAnswer.Ok;
        LOG.info(
                "{} {}",
                record,
                opened ? "was reopened by a client's retry" : "was changed by another caller meanwhile");
    }
}
