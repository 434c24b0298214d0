package io.idem.retry;

import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/** Requests that were sent together, and their repetitions: each try sends those that still have no answer. */
final class RepeatedBatch<Q, A> {

    private final Function<List<Q>, List<CompletionStage<A>>> send;
    private final List<RepeatedRequest<Q, A>> requests;

    RepeatedBatch(List<Q> requests, Predicate<Q> repeatable, Function<List<Q>, List<CompletionStage<A>>> send) {
        this.send = send;
        this.requests = new ArrayList<>(requests.size());
        requests.forEach(request -> this.requests.add(new RepeatedRequest<>(request, repeatable.test(request))));
    }

    /** One stage per request; each completes as soon as its own answer is there or not waited for any more. */
    List<CompletionStage<A>> answers() {
        List<CompletionStage<A>> answers = new ArrayList<>(requests.size());
        requests.forEach(request -> answers.add(request.answer()));
        return answers;
    }

    /** One try; fails as long as a request is worth another one. */
    CompletionStage<Integer> send() {
        List<RepeatedRequest<Q, A>> open = new ArrayList<>(requests.size());
        List<Q> asked = new ArrayList<>(requests.size());
        for (RepeatedRequest<Q, A> request : requests) {
            if (request.isOpen()) {
                open.add(request);
                asked.add(request.request());
            }
        }
        if (open.isEmpty()) {
            return CompletableFuture.completedFuture(0);
        }
        Try<Q, A> attempt = new Try<>(open, new AtomicInteger(open.size()), new CompletableFuture<>());
        List<CompletionStage<A>> answers = Stages.started(asked.size(), () -> send.apply(asked));
        for (int i = 0; i < open.size(); i++) {
            attempt.follow(open.get(i), answers.get(i));
        }
        return attempt.end();
    }

    /** Ends the requests that have failed so far with what is known about them. */
    void giveUp() {
        requests.forEach(RepeatedRequest::giveUp);
    }

    /** One sending of all that was open. */
    private record Try<Q, A>(List<RepeatedRequest<Q, A>> sent, AtomicInteger underWay, CompletableFuture<Integer> end) {

        void follow(RepeatedRequest<Q, A> request, CompletionStage<A> answer) {
            Stages.whenComplete(answer, (given, failure) -> {
                request.take(given, failure);
                if (underWay.decrementAndGet() == 0) {
                    over();
                }
            });
        }

        private void over() {
            sent.stream()
                    .filter(RepeatedRequest::isOpen)
                    .flatMap(request -> request.lastFailure().stream())
                    .findFirst()
                    .ifPresentOrElse(end::completeExceptionally, () -> end.complete(sent.size()));
        }
    }
}
