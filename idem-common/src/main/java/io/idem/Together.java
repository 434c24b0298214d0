package io.idem;

import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Sends requests of one kind that come at about the same time together: while the last ones have no answer, further ones are collected,
 * though never for long. The first of a pause goes at once. Thread-safe.
 */
final class Together<R, A> {

    /** A part of the store that is silent must not keep requests from the rest. */
    static final Duration LONGEST = Duration.ofMillis(2);

    private final Function<List<R>, List<CompletionStage<A>>> store;
    private final Workers workers;
    private final Duration longest;
    private List<Collected<R, A>> collected = new ArrayList<>();
    private boolean underWay;

    /** @param longest how long requests are collected while there is no answer */
    Together(Function<List<R>, List<CompletionStage<A>>> store, Workers workers, Duration longest) {
        this.store = store;
        this.workers = workers;
        this.longest = longest;
    }

    List<CompletionStage<A>> send(List<R> requests) {
        List<Collected<R, A>> added = new ArrayList<>(requests.size());
        List<CompletionStage<A>> answers = new ArrayList<>(requests.size());
        for (R request : requests) {
            Collected<R, A> one = Collected.of(request);
            added.add(one);
            answers.add(one.answer());
        }
        if (collect(added)) {
            go();
        }
        return answers;
    }

    /** Whether nobody else will send them. */
    private synchronized boolean collect(List<Collected<R, A>> added) {
        collected.addAll(added);
        boolean first = !underWay;
        underWay = true;
        return first;
    }

    private void go() {
        List<Collected<R, A>> together = take();
        if (together.isEmpty()) {
            return;
        }
        List<CompletionStage<A>> answers = sent(together, store);
        CompletableFuture<Boolean> turn = new CompletableFuture<>();
        for (int i = 0; i < answers.size(); i++) {
            Stages.whenComplete(answers.get(i), (answer, failure) -> turn.complete(true));
            Stages.copy(answers.get(i), together.get(i).answer());
        }
        // On a worker: a store without an asynchronous form blocks.
        Stages.whenComplete(
                turn.completeOnTimeout(true, longest.toMillis(), TimeUnit.MILLISECONDS),
                (done, never) -> workers.execute(this::go));
    }

    private synchronized List<Collected<R, A>> take() {
        List<Collected<R, A>> together = collected;
        underWay = !together.isEmpty();
        collected = new ArrayList<>();
        return together;
    }

    static <R, A> List<CompletionStage<A>> sent(
            List<Collected<R, A>> together, Function<List<R>, List<CompletionStage<A>>> store) {
        List<R> requests = new ArrayList<>(together.size());
        together.forEach(one -> requests.add(one.request()));
        return Stages.started(requests.size(), () -> store.apply(requests));
    }
}
