package io.idem;

import io.idem.spi.IdempotencyStore;
import io.idem.spi.SettleRequest;
import io.idem.spi.Settlement;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What is to be settled together with others, and who waits for it. */
record Collected(SettleRequest request, CompletableFuture<Settlement> settlement) {

    static List<CompletionStage<Settlement>> send(List<Collected> together, IdempotencyStore store) {
        List<SettleRequest> requests = new ArrayList<>(together.size());
        together.forEach(one -> requests.add(one.request()));
        return Stages.started(requests.size(), () -> store.async().settle(requests));
    }
}
