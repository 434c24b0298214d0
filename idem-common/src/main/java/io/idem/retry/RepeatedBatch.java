package io.idem.retry;

import io.idem.StoreUnavailableException;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** Requests that were sent together, and their repetitions: each try sends those that still have no answer. */
final class RepeatedBatch<Q, A> {

    private final Function<List<Q>, List<CompletionStage<A>>> send;
    private final List<RepeatedRequest<Q, A>> requests;

    RepeatedBatch(List<Q> requests, Predicate<Q> repeatable, Function<List<Q>, List<CompletionStage<A>>> send) {
        this.send = send;
        this.requests = requests.stream()
                .map(request -> new RepeatedRequest<Q, A>(request, repeatable.test(request)))
                .toList();
    }

    /** One stage per request; each completes as soon as its own answer is there or not waited for any more. */
    List<CompletionStage<A>> answers() {
        return requests.stream()
                .<CompletionStage<A>>map(RepeatedRequest::answer)
                .toList();
    }

    /** One try; fails as long as a request is worth another one. */
    CompletionStage<Integer> send() {
        List<RepeatedRequest<Q, A>> open =
                requests.stream().filter(RepeatedRequest::isOpen).toList();
        List<CompletionStage<A>> sent =
                send.apply(open.stream().map(RepeatedRequest::request).toList());
        List<CompletableFuture<Boolean>> noted = new ArrayList<>(sent.size());
        for (CompletionStage<A> answer : sent) {
            noted.add(open.get(noted.size()).take(answer));
        }
        return Stages.compose(
                Stages.all(noted),
                done -> stillOpen(open)
                        .<CompletionStage<Integer>>map(CompletableFuture::failedStage)
                        .orElseGet(() -> CompletableFuture.completedStage(open.size())));
    }

    private Optional<StoreUnavailableException> stillOpen(List<RepeatedRequest<Q, A>> sent) {
        return sent.stream()
                .filter(RepeatedRequest::isOpen)
                .flatMap(request -> request.lastFailure().stream())
                .findFirst();
    }

    /** Ends the requests that have failed so far with what is known about them. */
    void giveUp() {
        requests.forEach(RepeatedRequest::giveUp);
    }
}
