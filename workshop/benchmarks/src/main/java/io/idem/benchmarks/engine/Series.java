package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.AsyncContestant;
import java.util.concurrent.CompletableFuture;

/**
 * A series of pairs of one caller, each requested when the last one is answered. Recurses from the callbacks of Redis,
 * so answers that are available immediately would overflow the stack.
 */
final class Series {

    private final AsyncContestant subject;
    private final String name;
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private int left;

    Series(AsyncContestant subject, String name, int pairs) {
        this.subject = subject;
        this.name = name;
        this.left = pairs;
    }

    CompletableFuture<Integer> run() {
        next();
        return end;
    }

    private void next() {
        if (left == 0) {
            end.complete(0);
            return;
        }
        left--;
        subject.pair(name + ":" + left).whenComplete((answer, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
            } else {
                next();
            }
        });
    }
}
