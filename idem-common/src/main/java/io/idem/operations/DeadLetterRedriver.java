package io.idem.operations;

import static io.idem.internal.value.Arguments.require;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreUnavailableException;
import io.idem.operations.OperatorAct.Action;
import io.idem.spi.DeadLetterSource;
import io.idem.spi.DeadLetterSource.Search;
import io.idem.spi.DeadLetterSource.Sought;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Redrives a dead letter for an operator who has removed its cause: finds it, reopens its record, and publishes it
 * again to its original destination, in this order. Thread-safe; blocks. A call that fails half-way may be repeated: a
 * reopened record stays open, and the dead letter is removed only after its copy was confirmed.
 *
 * <p>Refuses work that is done, work in progress, and a key without a record, whose work may have been done and
 * forgotten.
 */
public final class DeadLetterRedriver {

    /** The largest number of messages that one call looks at. */
    public static final int MOST = 10_000;

    private final IdempotencyStore store;
    private final RecordOperator operator;
    private final List<DeadLetterSource> sources;

    /**
     * Creates a redriver.
     *
     * @param operator reopens the records and writes the audit
     * @param sources the sources of dead letters, one for each broker
     */
    public DeadLetterRedriver(IdempotencyStore store, RecordOperator operator, List<DeadLetterSource> sources) {
        this.store = store;
        this.operator = operator;
        this.sources = List.copyOf(sources);
    }

    /**
     * Redrives one dead letter. Audited as a reopening and, whatever its outcome, as a redrive.
     *
     * @param who the operator
     * @param reason the reason in the operator's words
     * @throws IllegalArgumentException if the order or the reason cannot be used; nothing was changed
     * @throws StoreUnavailableException if the store did not answer; the call may be repeated
     * @throws RuntimeException if the broker did not answer, or did not take the message; the call may be repeated
     */
    public Redrive redrive(Order order, String who, String reason) {
        RecordOperator.checkReason(reason);
        DeadLetterSource source = source(order.transport());
        try {
            Redrive redrive = redrive(order, source, who, reason);
            operator.audited(act(order, who, reason, redrive.found(), redrive.moved(), Optional.empty()));
            return redrive;
        } catch (RuntimeException failure) {
            operator.audited(act(order, who, reason, RecordState.ABSENT, false, Optional.of(failure.toString())));
            throw failure;
        }
    }

    private static OperatorAct act(
            Order order, String who, String reason, RecordState found, boolean done, Optional<String> failure) {
        return new OperatorAct(order.record(), Action.REDRIVE, who, reason, found, done, failure);
    }

    private Redrive redrive(Order order, DeadLetterSource source, String who, String reason) {
        Optional<RecordSnapshot> found = store.inspect(order.record());
        RecordState state = found.map(RecordSnapshot::state).orElse(RecordState.ABSENT);
        if (found.isEmpty() || state == RecordState.COMPLETED) {
            return new Redrive(state, Optional.empty());
        }
        Sought sought = new Sought(order.record(), found.get().fingerprint(), order.from(), order.limit());
        Search search = source.moveBack(
                sought,
                () -> operator.act(Action.REOPEN, order.record(), who, reason).done());
        return new Redrive(state, Optional.of(search));
    }

    private DeadLetterSource source(@Nullable String transport) {
        List<DeadLetterSource> fitting = sources.stream()
                .filter(source -> transport == null || source.transport().equals(transport))
                .toList();
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        String known = sources.stream().map(DeadLetterSource::transport).sorted().collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                sources.isEmpty()
                        ? "This application uses no broker: redrive the dead letter where its listener runs"
                        : "Say with transport whose dead letter it is, one of: " + known);
    }

    /**
     * A dead letter to be redriven.
     *
     * @param record the record of the dead letter's key and scope
     * @param from the queue or topic of dead letters that it is in
     * @param transport the broker; null if the application uses only one
     * @param limit the largest number of messages to look at, from 1 to {@link #MOST}
     */
    public record Order(
            RecordId record, String from, @Nullable String transport, int limit) {

        /**
         * Creates an order and checks its values.
         *
         * @throws IllegalArgumentException if a value is out of bounds; the message names the value
         */
        public Order {
            require(!from.isBlank(), "Say with from in which queue or topic the dead letter is");
            require(limit >= 1 && limit <= MOST, "limit is " + limit + "; it must be from 1 to " + MOST);
        }
    }

    /**
     * The outcome of a redrive.
     *
     * @param found the state of the record before; {@link RecordState#ABSENT} if there was none
     * @param search the outcome of the search; empty if the record does not allow a redrive, so that nothing was
     *     searched
     */
    public record Redrive(RecordState found, Optional<Search> search) {

        /** Returns whether the message was published again. */
        public boolean moved() {
            return search.filter(Search.Moved.class::isInstance).isPresent();
        }
    }
}
