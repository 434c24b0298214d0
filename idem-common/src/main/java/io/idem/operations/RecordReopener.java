package io.idem.operations;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reopens records whose work failed for good, for an operator who has removed the cause: a redriven dead letter runs
 * only then. The count of attempts starts anew. Thread-safe; blocks. Every reopening is logged with the digest of its
 * key.
 *
 * <p>Finished work is not reopened, because it could take effect twice; nor is work in progress. An inbox keeps its
 * row: where there is one, the work did take effect, and a redriven message is answered from it.
 */
public final class RecordReopener {

    private static final Logger LOG = LoggerFactory.getLogger(RecordReopener.class);

    private final IdempotencyStore store;
    private final ScopePolicies policies;

    /**
     * Creates a reopener for a store.
     *
     * @param policies give the retention of reopened records; a participant with another retention applies it from the
     *     next attempt on
     */
    public RecordReopener(IdempotencyStore store, ScopePolicies policies) {
        this.store = store;
        this.policies = policies;
    }

    /**
     * Reopens the rejected and exhausted records of a key, in all announced scopes.
     *
     * @return what was found, one entry per record
     * @throws StoreUnavailableException if the store did not answer; the call may be repeated
     */
    public List<Reopening> reopen(IdempotencyKey key) {
        return store.inspectAll(key).stream()
                .map(record -> reopen(new RecordId(key, record.scope()), record))
                .toList();
    }

    /**
     * Reopens the rejected or exhausted record of a key in one scope.
     *
     * @return what was found; empty if there is no record, so that the work runs as if for the first time
     * @throws StoreUnavailableException if the store did not answer; the call may be repeated
     */
    public Optional<Reopening> reopen(IdempotencyKey key, Scope scope) {
        RecordId id = new RecordId(key, scope);
        return store.inspect(id).map(record -> reopen(id, record));
    }

    /** Reopens a record under the fence that was seen, so that a record that has changed since stays as it is. */
    private Reopening reopen(RecordId id, RecordSnapshot found) {
        if (found.state() == RecordState.COMPLETED) {
            LOG.info("{} is done and stays so", id);
            return new Reopening(id.scope(), found.state(), false);
        }
        StoreAnswer answer =
                store.reopen(id, found.fence(), policies.of(id.scope()).retention());
        boolean reopened = answer instanceof StoreAnswer.Ok;
        LOG.info("{} {}", id, reopened ? "was reopened: its work may run again" : "could not be reopened: " + answer);
        RecordState state = answer instanceof StoreAnswer.Lost lost ? lost.state() : found.state();
        return new Reopening(id.scope(), state, reopened);
    }

    /**
     * The outcome for one record.
     *
     * @param scope the scope of the record
     * @param state the state before; PENDING means that an owner holds the lease, or died a moment ago: repeat the call
     *     when its lease has ended
     * @param reopened whether the work runs when its message is delivered again
     */
    public record Reopening(Scope scope, RecordState state, boolean reopened) {}
}
