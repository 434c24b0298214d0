package io.idem.engine;

import io.idem.spi.Stages;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executor that runs tasks on the caller's own thread while it waits for many stages: handing a task over to another
 * thread costs more than most tasks do. While no thread waits, tasks go to {@code otherwise}. One thread waits at a
 * time; tasks may come from any thread.
 */
final class CallerRunsExecutor implements Executor {

    private final Executor otherwise;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private volatile boolean served;
    private boolean interrupted;

    CallerRunsExecutor(Executor otherwise) {
        this.otherwise = otherwise;
    }

    @Override
    public void execute(Runnable task) {
        if (!served) {
            otherwise.execute(task);
            return;
        }
        tasks.add(task);
        if (!served && tasks.remove(task)) {
            otherwise.execute(task);
        }
    }

    /**
     * Starts stages and runs tasks on this thread until all of them have ended, successfully or not. An interrupt is
     * kept until then.
     */
    <V> List<CompletionStage<V>> awaitAll(Supplier<List<CompletionStage<V>>> start) {
        interrupted = Thread.interrupted();
        served = true;
        try {
            List<CompletionStage<V>> stages = start.get();
            CompletableFuture<?> ends = Stages.all(stages);
            Thread waiting = Thread.currentThread();
            Stages.whenComplete(ends, (ended, never) -> wakeUp(waiting));
            for (Runnable task = next(ends); task != null; task = next(ends)) {
                run(task);
            }
            return stages;
        } finally {
            served = false;
            leave();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs a task without the interrupt of this thread: a client of the store may refuse to be called by an interrupted
     * one.
     */
    private void run(Runnable task) {
        interrupted |= Thread.interrupted();
        task.run();
    }

    /** Returns the next task; null if there is none and nothing is waited for any more. */
    private @Nullable Runnable next(CompletableFuture<?> ends) {
        while (!ends.isDone()) {
            try {
                return tasks.take();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        return tasks.poll();
    }

    private void leave() {
        for (Runnable left = tasks.poll(); left != null; left = tasks.poll()) {
            otherwise.execute(left);
        }
    }

    private void wakeUp(Thread waiting) {
        if (Thread.currentThread() != waiting) {
            execute(CallerRunsExecutor::nothing);
        }
    }

    /** Does nothing; wakes a caller that waits for a task. */
    private static void nothing() {}
}
