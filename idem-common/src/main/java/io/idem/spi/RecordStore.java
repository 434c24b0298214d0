package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Transitions of records, many in one call. The requests of a call travel together, in as few round trips as the
 * store's topology allows. Each request is atomic; the call is not: one request may fail while the others succeed. Each
 * may be repeated with the same arguments: twice has the effect of once.
 *
 * <p>Every call returns one stage per request, in the order of the requests. No stage is null, and no call throws
 * because of the store. A stage ends with {@link StoreUnavailableException} if the store does not answer and with
 * {@link UnreadableRecordException} if there is a value under the record's name that idem did not write; neither is
 * wrapped. Requests for one record within one call take effect in their order. Thread-safe. Stages may complete on a
 * thread of the store's client: continuations must not block.
 *
 * <p>Durations are counted by the store's own clock, never by the caller's. Every write leaves the record an expiry of
 * at least the longest of retention, lease and delay.
 */
public interface RecordStore {

    /** Acquires records. */
    List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests);

    /** Writes updates of owners; see the kinds of {@link RecordUpdate}. */
    List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates);

    /**
     * Returns threads for callers that must not wait, if the store blocks its callers as JDBC does: such a store
     * answers on the thread that calls it, and every stage is complete when it is returned. Empty if the store never
     * blocks.
     */
    Optional<Executor> blockingThreads();
}
