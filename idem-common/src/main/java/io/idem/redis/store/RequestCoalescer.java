package io.idem.redis.store;

import io.idem.internal.redis.script.ScriptRunner;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Sends the requests of many callers in few calls: while calls are under way, further requests are gathered, and go together on the thread
 * that brings the last answer of a call, so nobody else has to wake. A caller that meets no others is sent at once. Requests are independent of each
 * other, also two for one record. Thread-safe; no thread waits here.
 *
 * @param <R> acquires or settles
 */
final class RequestCoalescer<R, A> {

    /** How long no answer may move those who wait: a part of Redis that is silent must not keep requests from the rest. */
    static final Duration LONGEST = Duration.ofMillis(2);

    /** With one, two callers would wait for each other; with four, too few requests meet (docs/reports/performance-results.md). */
    private static final int MOST_UNDER_WAY = 2;

    private final Function<List<R>, List<CompletionStage<A>>> redis;
    private final Executor later;
    private final Queue<PendingRequest<R, A>> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean watched;
    private boolean moved;

    /** {@code redis} sends a list in as few calls as possible and does not block. */
    RequestCoalescer(Function<List<R>, List<CompletionStage<A>>> redis) {
        this(redis, CompletableFuture.delayedExecutor(LONGEST.toNanos(), TimeUnit.NANOSECONDS, Runnable::run));
    }

    /** @param later runs what it is given after {@link #LONGEST} */
    RequestCoalescer(Function<List<R>, List<CompletionStage<A>>> redis, Executor later) {
        this.redis = redis;
        this.later = later;
    }

    CompletionStage<A> send(R request) {
        PendingRequest<R, A> pending = new PendingRequest<>(request, new CompletableFuture<>());
        SendDecision decision = decide(pending);
        if (decision == SendDecision.GO) {
            go(List.of(pending));
        }
        if (decision == SendDecision.WAIT_AND_WATCH) {
            watch();
        }
        return pending.answer();
    }

    private synchronized SendDecision decide(PendingRequest<R, A> pending) {
        if (underWay < MOST_UNDER_WAY) {
            underWay++;
            return SendDecision.GO;
        }
        waiting.add(pending);
        if (watched) {
            return SendDecision.WAIT;
        }
        watched = true;
        moved = false;
        return SendDecision.WAIT_AND_WATCH;
    }

    /** Goes on with the last answer of a call: with its first, fewer would wait. In a loop: while Redis is away, calls are answered at once. */
    private void go(List<PendingRequest<R, A>> first) {
        List<PendingRequest<R, A>> together = first;
        while (!together.isEmpty()) {
            List<CompletionStage<A>> answers = sent(together);
            int others = together.size() - 1;
            for (int i = 0; i < others; i++) {
                Stages.copy(answers.get(i), together.get(i).answer());
            }
            CompletableFuture<A> last = answers.get(others).toCompletableFuture();
            CompletableFuture<A> answer = together.get(others).answer();
            if (!last.isDone()) {
                Stages.whenComplete(last, (given, failure) -> go(answered(last, answer)));
                return;
            }
            together = answered(last, answer);
        }
    }

    private List<CompletionStage<A>> sent(List<PendingRequest<R, A>> together) {
        return Stages.started(
                together.size(),
                () -> redis.apply(together.stream().map(PendingRequest::request).toList()));
    }

    /** What goes next. Counted before the caller hears: its next request is not to wait for its last one. */
    private List<PendingRequest<R, A>> answered(CompletableFuture<A> last, CompletableFuture<A> answer) {
        List<PendingRequest<R, A>> next = next();
        Stages.copy(last, answer);
        return next;
    }

    /** After a call that is answered; nothing while enough others are under way. */
    private synchronized List<PendingRequest<R, A>> next() {
        underWay--;
        return underWay < MOST_UNDER_WAY ? taken(ScriptRunner.MOST_RECORDS) : List.of();
    }

    private void watch() {
        later.execute(() -> {
            if (isMoving()) {
                watch();
            } else {
                go(overdue());
            }
        });
    }

    /** Whether answers took others along since this was last asked, and may well take those who wait now. */
    private synchronized boolean isMoving() {
        boolean moving = moved && !waiting.isEmpty();
        moved = false;
        return moving;
    }

    /** What goes beside the calls that are not answered. */
    private synchronized List<PendingRequest<R, A>> overdue() {
        watched = false;
        return taken(waiting.size());
    }

    private List<PendingRequest<R, A>> taken(int most) {
        List<PendingRequest<R, A>> together = new ArrayList<>(Math.min(most, waiting.size()));
        while (together.size() < most && !waiting.isEmpty()) {
            together.add(waiting.remove());
        }
        if (!together.isEmpty()) {
            underWay++;
            moved = true;
        }
        return together;
    }

    private enum SendDecision {
        GO,
        WAIT,
        WAIT_AND_WATCH
    }

    private record PendingRequest<R, A>(R request, CompletableFuture<A> answer) {}
}
