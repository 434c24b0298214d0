package io.idem;

import io.idem.spi.IdempotencyStore;
import io.idem.spi.SettleRequest;
import io.idem.spi.Settlement;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What is to be settled together with others, and who waits for it. */
record Collected(SettleRequest request, CompletableFuture<Settlement> settlement) {

    /** No store should throw, but memory or a class may be missing: whoever waits would wait for ever. */
    static List<CompletionStage<Settlement>> send(List<Collected> together, IdempotencyStore store) {
        List<SettleRequest> requests = new ArrayList<>(together.size());
        together.forEach(one -> requests.add(one.request()));
        try {
            return store.async().settle(requests);
        } catch (Throwable thrown) {
            return Collections.nCopies(together.size(), Stages.failed(thrown));
        }
    }
}
