package io.idem.spi;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Calls of operators and of start-up. Each is rare and atomic, blocks until the store has answered, and may be repeated
 * with the same arguments: twice has the effect of once. Thread-safe. All methods throw {@link
 * StoreUnavailableException} if the store does not answer and {@link UnreadableRecordException} if there is a value
 * under the record's name that idem did not write.
 */
public interface RecordAdmin extends AutoCloseable {

    /**
     * Makes a COMPLETED, REJECTED or exhausted record available for another attempt and resets its count of attempts. A
     * PENDING record whose lease has lapsed stays PENDING: its outcome is unknown, and the next grant is a takeover. An
     * operator's act: callers audit it.
     *
     * @param expectedFence the fence the operator saw; if the record has another one, or a live lease, nothing is done
     * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with the state that was found
     */
    StoreAnswer reopen(RecordId record, long expectedFence, Duration retention);

    /**
     * Ends unsettled work, PENDING or FAILED, in place of its owner, whether the owner is alive or not. The fence
     * grows, so that later writes of the owner are refused. An operator's act: callers audit it.
     *
     * @param expectedFence the fence the operator saw; if the record has another one, nothing is done
     * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with the state that was found
     */
    StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention);

    /**
     * Erases the result of a COMPLETED record, or the reason of a REJECTED one, and keeps everything else: duplicates
     * are still not run, and are answered with {@link StoredResult#OMITTED} or an empty reason. The record expires when
     * it would have. An operator's act: callers audit it.
     *
     * @return {@link StoreAnswer.Ok}, also if there was no result or reason, or {@link StoreAnswer.Lost} with the state
     *     that was found if the record is not settled; the result of a running attempt is still stored later
     */
    StoreAnswer erase(RecordId record);

    /** Reads one record without changing it; empty if there is none, or if its retention is over. */
    Optional<RecordSnapshot> inspect(RecordId record);

    /** Reads the records of a key in all announced scopes, in the order of their names, in one atomic call. */
    List<RecordSnapshot> inspectAll(IdempotencyKey key);

    /**
     * Reads the steps that are remembered beside a record, without owning or changing it; {@link RememberedSteps#NONE}
     * if there are none. Not atomic with {@link #inspect}. The results are as they are kept, possibly encrypted:
     * operators' tools must not show them.
     */
    RememberedSteps steps(RecordId record);

    /** Adds a scope to those that {@link #inspectAll} reads; called at start-up by every participant. */
    void announce(Scope scope);

    @Override
    void close();
}
