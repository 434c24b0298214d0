package io.idem.test;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A message or request that a test sends once, repeatedly, concurrently, or into a crash. Blocks until all of it has
 * ended. Unchecked exceptions pass through, checked ones are wrapped in {@link UndeclaredThrowableException}.
 * Immutable.
 *
 * @param <R> the type of the outcome of each call
 */
public final class Rehearsal<R> {

    private static final long LONGEST_SECONDS = 60;

    private final Callable<R> act;
    private final BiConsumer<CrashPoint, Callable<R>> crashing;

    /** @param crashing makes the call until it crashes */
    Rehearsal(Callable<R> act, BiConsumer<CrashPoint, Callable<R>> crashing) {
        this.act = act;
        this.crashing = crashing;
    }

    /** Sends it once. */
    public R once() {
        try {
            return act.call();
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new UndeclaredThrowableException(checked);
        }
    }

    /** Sends it twice, one after the other: the second one is a duplicate. */
    public List<R> twice() {
        return times(2);
    }

    /** Sends it a number of times, one after the other. */
    public List<R> times(int number) {
        return IntStream.range(0, number).mapToObj(i -> once()).toList();
    }

    /** Sends it a number of times at the same moment, each on a thread of its own; waits for at most a minute. */
    public List<R> concurrently(int number) {
        CyclicBarrier start = new CyclicBarrier(number);
        ExecutorService threads = Executors.newFixedThreadPool(number);
        try {
            Callable<R> together = () -> {
                start.await();
                return act.call();
            };
            List<Future<R>> running =
                    Stream.generate(() -> threads.submit(together)).limit(number).toList();
            return running.stream().map(Rehearsal::ended).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Sends it until its process dies at a point: neither broker nor client hears of it, and its record stays as it is.
     * Only work that ends on the delivering thread can crash, unless it was rehearsed
     * {@linkplain TestIdempotency#rehearseAnywhere anywhere}.
     *
     * @throws AssertionError if the work never reaches the point
     */
    public void crashing(CrashPoint point) {
        crashing.accept(point, act);
    }

    private static <R> R ended(Future<R> running) {
        try {
            return running.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("One of them failed", failed.getCause());
        } catch (TimeoutException endless) {
            throw new IllegalStateException("One of them did not end within " + LONGEST_SECONDS + " s", endless);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while they were running", interrupted);
        }
    }
}
