package io.idem.spi;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Calls of operators and of start-up. Each is rare, atomic, blocks until the store answered, and may be repeated with the same
 * arguments: twice has the effect of once. Thread-safe. All methods throw {@link StoreUnavailableException} if the store does
 * not answer and {@link UnreadableRecordException} if something else lies under the record's name.
 */
public interface RecordAdmin extends AutoCloseable {

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

    /** Reads one record without changing it; empty if there is none, or if its retention is over. */
    Optional<RecordSnapshot> inspect(RecordId record);

    /** Reads a key's records in all announced scopes, in the order of their names, in one atomic call. */
    List<RecordSnapshot> inspectAll(IdempotencyKey key);

    /** Adds a scope to those that {@link #inspectAll} looks at; called at start-up by every participant. */
    void announce(Scope scope);

    @Override
    void close();
}
