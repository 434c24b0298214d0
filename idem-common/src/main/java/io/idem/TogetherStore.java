package io.idem;

import io.idem.spi.AcquireRequest;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.SettleRequest;
import io.idem.spi.Settlement;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Sends settlements that come at about the same time together: while the store has not answered the last ones, further ones are
 * collected, though never for long. Acquires come in batches already. Thread-safe.
 */
final class TogetherStore implements AsyncIdempotencyStore {

    /** A part of the store that is silent must not keep settlements from the rest. */
    private static final long LONGEST_MILLIS = 2;

    private final IdempotencyStore store;
    private final Workers workers;
    private List<Collected> collected = new ArrayList<>();
    private boolean underWay;

    /** For one lane. */
    TogetherStore(IdempotencyStore store, Workers workers) {
        this.store = store;
        this.workers = workers;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return store.async().acquire(requests);
    }

    @Override
    public List<CompletionStage<Settlement>> settle(List<SettleRequest> requests) {
        List<Collected> added = requests.stream()
                .map(request -> new Collected(request, new CompletableFuture<>()))
                .toList();
        if (collect(added)) {
            go();
        }
        return added.stream()
                .<CompletionStage<Settlement>>map(Collected::settlement)
                .toList();
    }

    /** Whether nobody else will send them. */
    private synchronized boolean collect(List<Collected> added) {
        collected.addAll(added);
        boolean first = !underWay;
        underWay = true;
        return first;
    }

    private void go() {
        List<Collected> together = take();
        if (together.isEmpty()) {
            return;
        }
        List<CompletionStage<Settlement>> answers = Collected.send(together, store);
        CompletableFuture<Boolean> turn = new CompletableFuture<>();
        for (int i = 0; i < answers.size(); i++) {
            Stages.whenComplete(answers.get(i), (answer, failure) -> turn.complete(true));
            Stages.copy(answers.get(i), together.get(i).settlement());
        }
        // On a worker: a store without an asynchronous form blocks.
        Stages.whenComplete(
                turn.completeOnTimeout(true, LONGEST_MILLIS, TimeUnit.MILLISECONDS),
                (done, never) -> workers.execute(this::go));
    }

    private synchronized List<Collected> take() {
        List<Collected> together = collected;
        underWay = !together.isEmpty();
        collected = new ArrayList<>();
        return together;
    }
}
