package io.idem.redis.store;

import io.idem.internal.redis.script.ScriptPipe;
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
 * Sends the requests of many callers in few calls. While calls are in flight, further requests are collected; they are
 * sent together on the thread that completes the last answer of a call, so no other thread has to wake. A request is
 * sent at once if few calls are in flight. Requests are independent of each other, even two for one record.
 * Thread-safe; does not block.
 *
 * @param <R> the type of the requests, acquires or updates
 * @param <A> the type of the answers
 */
final class RequestCoalescer<R, A> {

    /**
     * The longest time that collected requests wait without an answer: an unresponsive node must not delay requests to
     * the others.
     */
    static final Duration LONGEST = Duration.ofMillis(2);

    /**
     * The number of calls in flight at most. With one, two callers would wait for each other; with four, too few
     * requests are sent together (docs/reports/performance-results.md).
     */
    private static final int MOST_UNDER_WAY = 2;

    private final Function<List<R>, List<CompletionStage<A>>> redis;
    private final Executor later;
    private final Queue<PendingRequest<R, A>> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean watched;
    private boolean moved;

    /** @param redis sends a list in as few calls as possible and does not block */
    RequestCoalescer(Function<List<R>, List<CompletionStage<A>>> redis) {
        this(redis, CompletableFuture.delayedExecutor(LONGEST.toNanos(), TimeUnit.NANOSECONDS, Runnable::run));
    }

    /** @param later runs a task after {@link #LONGEST} */
    RequestCoalescer(Function<List<R>, List<CompletionStage<A>>> redis, Executor later) {
        this.redis = redis;
        this.later = later;
    }

    CompletionStage<A> send(R request) {
        PendingRequest<R, A> pending = new PendingRequest<>(request, new CompletableFuture<>());
        boolean now;
        boolean unwatched;
        synchronized (this) {
            now = underWay < MOST_UNDER_WAY;
            unwatched = !now && !watched;
            if (now) {
                underWay++;
            } else {
                waiting.add(pending);
                watched = true;
            }
            if (unwatched) {
                moved = false;
            }
        }
        if (now) {
            go(List.of(pending));
        } else if (unwatched) {
            watch();
        }
        return pending.answer();
    }

    /**
     * Sends requests and continues with the last answer of the call; with the first answer, fewer requests would be
     * collected. A loop, because calls are answered at once while Redis is unreachable.
     */
    private void go(List<PendingRequest<R, A>> first) {
        List<PendingRequest<R, A>> together = first;
        while (!together.isEmpty()) {
            List<R> requests = together.stream().map(PendingRequest::request).toList();
            List<CompletionStage<A>> answers;
            try {
                answers = redis.apply(requests);
            } catch (Throwable thrown) {
                answers = Stages.failed(requests, thrown);
            }
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

    /**
     * Completes the last answer of a call and returns the next requests to send. Counts before it completes, so that
     * the caller's next request does not wait for its last one.
     */
    private List<PendingRequest<R, A>> answered(CompletableFuture<A> last, CompletableFuture<A> answer) {
        List<PendingRequest<R, A>> next = next();
        Stages.copy(last, answer);
        return next;
    }

    /** Returns the requests to send after a call was answered; empty while enough other calls are in flight. */
    private synchronized List<PendingRequest<R, A>> next() {
        underWay--;
        return underWay < MOST_UNDER_WAY ? taken(ScriptPipe.MOST_RECORDS) : List.of();
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

    /**
     * Returns whether answers have released collected requests since the last check, so that they will probably release
     * those that wait now.
     */
    private synchronized boolean isMoving() {
        boolean moving = moved && !waiting.isEmpty();
        moved = false;
        return moving;
    }

    /** Returns the requests to send although no call was answered. */
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

    private record PendingRequest<R, A>(R request, CompletableFuture<A> answer) {}
}
