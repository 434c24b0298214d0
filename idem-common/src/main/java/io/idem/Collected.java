package io.idem;

import java.util.concurrent.CompletableFuture;

/**
 * A request that goes to the store together with others, and who waits for its answer.
 *
 * @param <R> acquires or settles
 */
record Collected<R, A>(R request, CompletableFuture<A> answer) {

    static <R, A> Collected<R, A> of(R request) {
        return new Collected<>(request, new CompletableFuture<>());
    }
}
