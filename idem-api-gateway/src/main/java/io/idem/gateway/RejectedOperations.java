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
 * Lets a client's retry open an operation again that a consumer has rejected: the request is published once more under its key, and the
 * consumer runs it. A coded route takes both parts, {@link #reopening} as its options and {@link #opened} around its hand-off.
 * Thread-safe; every reopening is logged with the key's digest.
 *
 * <p>Two steps, in this order. First the intake's own record is opened, guarded by the fence that was seen together with the rejection: of
 * retries at the same time one is granted, and one that looked earlier changes nothing. Then, under that grant and before the message is
 * published, the consumers' records are opened, each guarded by its fence: whoever publishes has seen to it that the message will run. A
 * process that dies in between leaves an open intake record, so the next retry does the rest.
 */
public final class RejectedOperations {

    private static final Logger LOG = LoggerFactory.getLogger(RejectedOperations.class);

    private final IdempotencyStore store;
    private final ScopePolicies policies;

    /**
     * Opens records of a store.
     *
     * @param policies how long opened records of consumers are kept until their next attempt
     */
    public RejectedOperations(IdempotencyStore store, ScopePolicies policies) {
        this.store = store;
        this.policies = policies;
    }

    /**
     * Options of a route whose stored answer is not given again once a consumer has rejected the operation.
     *
     * @param consumers whose rejections count; empty for everybody's but the intake's own
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

    /** The step before the hand-off; the request is refused with 503 if it fails, and its key is free. */
    public Middleware opened(Set<Scope> consumers) {
        return (request, next) -> {
            Scope own = IdempotencyContext.current().orElseThrow().scope();
            try {
                openConsumers(new RecordId(request.key(), own), consumers);
            } catch (IdempotencyException silent) {
                throw new HandOffFailedException("What consumers have rejected cannot be opened again", silent);
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
