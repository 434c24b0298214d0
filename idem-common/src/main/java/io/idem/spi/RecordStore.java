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
 * The transitions of a store, for many records at once. The requests of one call travel together, in as few round trips as the
 * store's topology allows; each is atomic by itself, and all of them are not: one may fail while its neighbours succeed. Each
 * may be repeated with the same arguments: twice has the effect of once.
 *
 * <p>Every call answers one stage per request, in the order of the requests; none of them is null, and no call throws for a
 * reason of the store. A stage ends with {@link StoreUnavailableException} if the store does not answer and with
 * {@link UnreadableRecordException} if something else lies under the record's name, never wrapped. Requests for one record
 * within one call take effect in their order. Thread-safe. Stages may complete on a thread of the store's client: do not block
 * in what follows them.
 *
 * <p>Durations are counted by the store's own clock, never by the caller's. Every write leaves the record an expiry of at least
 * the longest of retention, lease and delay.
 */
public interface RecordStore {

    /** Asks for the right to do each piece of work. */
    List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests);

    /** Writes what the owners of grants ask for; see the kinds of {@link RecordUpdate}. */
    List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates);

    /**
     * Threads for those who must not wait, if the store blocks its callers as JDBC does: such a store answers on the thread that
     * calls it, and every stage is complete when it is returned. Empty if the store never blocks.
     */
    Optional<Executor> blockingThreads();
}
