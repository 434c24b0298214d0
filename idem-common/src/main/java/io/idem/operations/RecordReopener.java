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
 * Opens records again whose work failed for good, for an operator who has removed the cause and lets it be tried once more: a
 * dead letter that is moved back runs only then. Its count of attempts starts anew. Thread-safe; blocks. Every reopening is
 * logged with the digest of its key.
 *
 * <p>Finished work is left alone: opening it would let it take effect twice. So is work in progress. An inbox keeps its row:
 * where there is one, the work did take effect, and a redriven message is answered from it.
 */
public final class RecordReopener {

    private static final Logger LOG = LoggerFactory.getLogger(RecordReopener.class);

    private final IdempotencyStore store;
    private final ScopePolicies policies;

    /**
     * Reopens in a store.
     *
     * @param policies how long reopened records are kept; for scopes whose participant has another retention, that holds from the
     *     next attempt on
     */
    public RecordReopener(IdempotencyStore store, ScopePolicies policies) {
        this.store = store;
        this.policies = policies;
    }

    /**
     * Reopens what failed for good under a key, in all announced scopes.
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
     * Reopens what failed for good under a key in one scope.
     *
     * @return what was found; empty if there is no record: the work runs as if for the first time
     * @throws StoreUnavailableException if the store did not answer; the call may be repeated
     */
    public Optional<Reopening> reopen(IdempotencyKey key, Scope scope) {
        RecordId id = new RecordId(key, scope);
        return store.inspect(id).map(record -> reopen(id, record));
    }

    /** With the fence that was seen, so that what happened since is left alone too. */
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
     * What became of one record.
     *
     * @param scope whose it is
     * @param state which it was found in; PENDING means that an owner holds the lease, or died a moment ago: repeat the call when its
     *     lease has ended
     * @param reopened whether its work runs when its message comes again
     */
    public record Reopening(Scope scope, RecordState state, boolean reopened) {}
}
