package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The transitions of a store for many records at once, and without a thread that waits. The requests of one call travel
 * together, in as few round trips as the store's topology allows; each is atomic by itself, and all of them are not: one may fail
 * while its neighbours succeed.
 *
 * <p>Every call answers one stage per request, in the order of the requests; none of them is null, and no call throws for a
 * reason of the store. A stage ends exceptionally with what the same call of {@link IdempotencyStore} throws, never wrapped.
 * Requests for one record within one call take effect in their order. Thread-safe. Stages may complete on a thread of the
 * store's client: do not block in what follows them.
 */
public interface AsyncIdempotencyStore {

    /** Asks for the right to do each piece of work; see {@link IdempotencyStore#acquire}. */
    List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests);

    /** Renews or settles each grant; see the methods of {@link IdempotencyStore} that the requests name. */
    List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests);

    /** Asks for the right to do one piece of work. */
    default CompletionStage<Claim> acquire(AcquireRequest request) {
        return acquire(List.of(request)).get(0);
    }

    /** Renews or settles one grant. */
    default CompletionStage<StoreAnswer> settle(RecordUpdate request) {
        return settle(List.of(request)).get(0);
    }
}
