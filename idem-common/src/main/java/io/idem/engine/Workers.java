package io.idem.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for steps that may take time. Tasks that they refuse, or fail to take, run on the thread that brought them:
 * an effect must be recorded also while an application stops, and a caller would otherwise wait for ever.
 */
record Workers(Executor threads) implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    /** Workers that run each task on the thread that brings it. */
    static final Workers NONE = new Workers(Caller.ITSELF);

    /** Returns whether tasks run on the thread that brings them. */
    boolean areNone() {
        return threads instanceof Caller;
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

    private enum Caller implements Executor {
        ITSELF;

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }
}
