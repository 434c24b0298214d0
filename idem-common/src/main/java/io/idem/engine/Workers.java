package io.idem.engine;

import io.idem.spi.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for steps that may take time. Tasks that they refuse, or fail to take, run on the thread that brought them:
 * an effect must be recorded also while an application stops, and a caller would otherwise wait for ever.
 */
record Workers(Executor threads) implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    /** Workers that run each task on the thread that brings it. */
    static final Workers NONE = new Workers(Runnable::run);

    /** Starts a stage on a worker. An exception of {@code part} ends the stage. */
    <V> CompletionStage<V> start(Supplier<CompletionStage<V>> part) {
        CompletableFuture<V> handed = new CompletableFuture<>();
        execute(() -> Stages.copy(Stages.started(part), handed));
        return handed;
    }

    @Override
    public void execute(Runnable task) {
        Once once = new Once(task);
        try {
            threads.execute(once);
        } catch (RejectedExecutionException refused) {
            once.run();
        } catch (Throwable failed) {
            LOG.error(
                    "The executor {} failed to take a task, which runs on the thread that brought it", threads, failed);
            once.run();
        }
    }

    /** Task that runs once: an executor may run it and throw its exception, or throw after it took the task. */
    private record Once(Runnable task, AtomicBoolean begun) implements Runnable {

        Once(Runnable task) {
            this(task, new AtomicBoolean());
        }

        @Override
        public void run() {
            if (begun.compareAndSet(false, true)) {
                task.run();
            }
        }
    }
}
