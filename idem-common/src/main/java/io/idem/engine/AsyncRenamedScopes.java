package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.spi.AsyncIdempotencyStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Sends acquires of renamed scopes another way than all others.
 *
 * @param store for everything that no renaming touches
 * @param renaming looks under the former name first
 * @param renamed the present names of renamed scopes
 */
record AsyncRenamedScopes(AsyncIdempotencyStore store, AsyncIdempotencyStore renaming, Set<Scope> renamed)
        implements AsyncIdempotencyStore {

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        Predicate<AcquireRequest> isRenamed =
                request -> renamed.contains(request.record().scope());
        Iterator<CompletionStage<Claim>> untouched = store.acquire(
                        requests.stream().filter(isRenamed.negate()).toList())
                .iterator();
        Iterator<CompletionStage<Claim>> touched =
                renaming.acquire(requests.stream().filter(isRenamed).toList()).iterator();
        List<CompletionStage<Claim>> claims = new ArrayList<>(requests.size());
        requests.forEach(request -> claims.add((isRenamed.test(request) ? touched : untouched).next()));
        return claims;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
        return store.settle(requests);
    }
}
