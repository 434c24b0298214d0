package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the records. One method per transition of the protocol; each is atomic, blocks until the store answered, and may be
 * repeated with the same arguments: twice has the effect of once.
 *
 * <p>Durations are counted by the store's own clock, never by the caller's. Every write leaves the record an expiry of at
 * least the longest of retention, lease and delay. Implementations are thread-safe. All methods throw
 * {@link StoreUnavailableException} if the store does not answer and {@link UnreadableRecordException} if something else
 * lies under the record's name.
 */
public interface IdempotencyStore extends AutoCloseable {

    /** Asks for the right to do the work. */
    Claim acquire(AcquireRequest request);

    /** Extends the lease to its full duration from now, also a lapsed one that nobody took. */
    StoreAnswer renew(Lease lease);

    /** Stores the outcome for good. */
    StoreAnswer complete(Lease lease, StoredResult result);

    /**
     * Gives the key back for a retry after {@code delay}, which counts in whole milliseconds and as zero if negative; keeps
     * fence, attempts and fingerprint.
     */
    StoreAnswer fail(Lease lease, Duration delay);

    /** Ends the work for good without a result. */
    StoreAnswer reject(Lease lease, String reason);

    /**
     * Frees a COMPLETED, REJECTED or exhausted record for another attempt and starts its count of attempts anew. A PENDING whose lease has
     * lapsed stays PENDING: its outcome is unknown, and the next grant is a takeover. An operator's act: callers audit it.
     *
     * @param expectedFence the fence the operator saw; if the record has another one, or a live lease, nothing is
     *     done
     * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with what was found
     */
    StoreAnswer reopen(RecordId record, long expectedFence, Duration retention);

    /**
     * Ends unsettled work, PENDING or FAILED, in its owner's place, whether that is alive or not. The fence grows, so that everything
     * that its owner writes later is refused. An operator's act: callers audit it.
     *
     * @param expectedFence the fence the operator saw; if the record has another one, nothing is done
     * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with what was found
     */
    StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention);

    /**
     * Puts the result of a COMPLETED record, or the reason of a REJECTED one, away for good and keeps everything else:
     * duplicates are still not run, and are answered with {@link StoredResult#OMITTED} or an empty reason. The record expires
     * when it would have. An operator's act: callers audit it.
     *
     * @return {@link StoreAnswer.Ok}, also if there was no result or reason, or {@link StoreAnswer.Lost} with what was found if
     *     that is not settled; what a running attempt will store is not prevented
     */
    StoreAnswer erase(RecordId record);

    /** Reads one record. */
    Optional<RecordSnapshot> inspect(RecordId record);

    /** Reads a key's records in all announced scopes, in the order of their names, in one atomic call. */
    List<RecordSnapshot> inspectAll(IdempotencyKey key);

    /** The write that {@code request} names. */
    default StoreAnswer settle(RecordUpdate request) {
        if (request instanceof RecordUpdate.Renew) {
            return renew(request.lease());
        }
        if (request instanceof RecordUpdate.Complete complete) {
            return complete(complete.lease(), complete.result());
        }
        if (request instanceof RecordUpdate.Fail fail) {
            return fail(fail.lease(), fail.delay());
        }
        RecordUpdate.Reject reject = (RecordUpdate.Reject) request;
        return reject(reject.lease(), reject.reason());
    }

    /**
     * The same records in batches and without blocking. A store without such a form of its own, as by default, answers on the
     * thread of the caller and blocks it.
     */
    default AsyncIdempotencyStore async() {
        return new CallersThreadStore(this);
    }

    /** Adds a scope to those that {@link #inspectAll} looks at; called at start-up by every participant. */
    void announce(Scope scope);

    @Override
    void close();
}
