package io.idem.operations;

import io.idem.DerivedKeys;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases what is stored about finished work, for an operator who is obliged to: the result of a completed record, the
 * reason of a rejected one. The records remain, so the work is not run again; duplicates learn that it was done,
 * without the result. Thread-safe; blocks. Every erasure is logged with the digest of its key.
 *
 * <p>Keys are stored as digests, so erasing needs the key itself. Messages that the work published have keys of their
 * own, {@link DerivedKeys derived} from it.
 */
public final class ResultEraser {

    private static final Logger LOG = LoggerFactory.getLogger(ResultEraser.class);

    private final IdempotencyStore store;
    private final Consumer<StoredResult> elsewhere;

    /** Creates an eraser for a store that keeps all results itself. */
    public ResultEraser(IdempotencyStore store) {
        this(store, result -> {});
    }

    /**
     * Creates an eraser for a store whose records may name results elsewhere.
     *
     * @param elsewhere removes the part of a result that is kept outside its record, before the record is erased; may
     *     be repeated
     */
    public ResultEraser(IdempotencyStore store, Consumer<StoredResult> elsewhere) {
        this.store = store;
        this.elsewhere = elsewhere;
    }

    /**
     * Erases the results of a key in all announced scopes.
     *
     * @return what was found, one entry per record; where {@link Erasure#erased()} is false the work is not settled:
     *     repeat the call when it is
     * @throws StoreUnavailableException if the store did not answer; the call may be repeated
     */
    public List<Erasure> erase(IdempotencyKey key) {
        return store.inspectAll(key).stream()
                .map(record -> erase(new RecordId(key, record.scope()), record))
                .toList();
    }

    private Erasure erase(RecordId id, RecordSnapshot found) {
        elsewhere.accept(found.result());
        StoreAnswer answer = store.erase(id);
        boolean erased = answer instanceof StoreAnswer.Ok;
        LOG.info("{} of {}", erased ? "Erased the result or reason" : "There is no settled result to erase", id);
        RecordState state = answer instanceof StoreAnswer.Lost lost ? lost.state() : found.state();
        return new Erasure(id.scope(), state, erased);
    }

    /**
     * The outcome for one record.
     *
     * @param scope the scope of the record
     * @param state the state of the record
     * @param erased whether nothing of result and reason is left
     */
    public record Erasure(Scope scope, RecordState state, boolean erased) {}
}
