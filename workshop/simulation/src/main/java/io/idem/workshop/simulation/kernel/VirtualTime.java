package io.idem.workshop.simulation.kernel;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Replaces the clocks, pauses and waits of the JDK in rewritten code. */
public final class VirtualTime {

    private static final long FOREVER = Long.MAX_VALUE / 4;

    private VirtualTime() {}

    public static long nanoTime() {
        return Kernel.current().now();
    }

    public static long currentTimeMillis() {
        return instant().toEpochMilli();
    }

    public static Instant instant() {
        return Instant.EPOCH
                .plusSeconds(1_000_000_000)
                .plusNanos(Kernel.current().now());
    }

    public static InstantSource system() {
        return VirtualTime::instant;
    }

    public static double random() {
        return Kernel.current().random().nextDouble();
    }

    public static void sleep(long millis) {
        sleep(TimeUnit.MILLISECONDS, millis);
    }

    public static void sleep(TimeUnit unit, long time) {
        Kernel.current().sleep(unit.toNanos(time));
    }

    public static <T> T get(CompletableFuture<T> future, long time, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        await(future, unit.toNanos(time));
        if (!future.isDone()) {
            throw new TimeoutException();
        }
        return future.get();
    }

    public static <T> T join(CompletableFuture<T> future) {
        await(future, FOREVER);
        return future.join();
    }

    private static void await(CompletableFuture<?> future, long nanos) {
        if (future.isDone()) {
            return;
        }
        Kernel kernel = Kernel.current();
        try (Waker waker = kernel.waker()) {
            var unused = future.whenComplete((answer, failure) -> waker.run());
            long end = kernel.now() + nanos;
            while (!future.isDone() && kernel.now() < end) {
                kernel.sleep(end - kernel.now());
            }
        }
    }

    public static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, long time, TimeUnit unit) {
        later(unit.toNanos(time), () -> future.completeExceptionally(new TimeoutException()));
        return future;
    }

    public static <T> CompletableFuture<T> completeOnTimeout(
            CompletableFuture<T> future, @Nullable T value, long time, TimeUnit unit) {
        later(unit.toNanos(time), () -> future.complete(value));
        return future;
    }

    public static Executor delayedExecutor(long time, TimeUnit unit) {
        return task -> later(unit.toNanos(time), task);
    }

    /** Runs the tasks as events of the simulation: threads of the executor would be outside of it. */
    public static Executor delayedExecutor(long time, TimeUnit unit, Executor executor) {
        return delayedExecutor(time, unit);
    }

    private static void later(long nanos, Runnable task) {
        Kernel kernel = Kernel.current();
        kernel.after(nanos, kernel.machine(), task);
    }
}
