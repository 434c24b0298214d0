package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Answers what a cache knows, and asks the store for everything else in one call. */
final class KnownClaims {

    private KnownClaims() {}

    /** Returns the answers in the order of the requests. */
    static List<CompletionStage<Claim>> orElse(
            List<AcquireRequest> requests,
            Function<AcquireRequest, Optional<Claim>> known,
            Function<List<AcquireRequest>, List<CompletionStage<Claim>>> store) {
        List<Optional<Claim>> found = requests.stream().map(known).toList();
        List<AcquireRequest> unknown = IntStream.range(0, requests.size())
                .filter(i -> found.get(i).isEmpty())
                .mapToObj(requests::get)
                .toList();
        Iterator<CompletionStage<Claim>> asked = unknown.isEmpty()
                ? List.<CompletionStage<Claim>>of().iterator()
                : store.apply(unknown).iterator();
        return found.stream()
                .map(claim -> claim.<CompletionStage<Claim>>map(CompletableFuture::completedFuture)
                        .orElseGet(asked::next))
                .toList();
    }
}
