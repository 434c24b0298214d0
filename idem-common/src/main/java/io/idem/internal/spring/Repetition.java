package io.idem.internal.spring;

import io.idem.internal.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Repeats a task while the application runs, on a daemon thread of its own, so no scheduler is needed. Thread-safe. */
public abstract class Repetition implements SmartLifecycle {

    private final String name;
    private final Duration first;
    private final Duration pause;
    private @Nullable ScheduledExecutorService thread;

    /**
     * Creates a repetition, which does not start yet.
     *
     * @param name the name of the thread
     * @param first the time until the first run
     * @param pause the time between two runs
     */
    protected Repetition(String name, Duration first, Duration pause) {
        this.name = name;
        this.first = first;
        this.pause = pause;
    }

    /** Does the task once. What it throws is logged, and the next run follows. */
    protected abstract void run();

    @Override
    public synchronized void start() {
        if (thread == null) {
            ScheduledExecutorService started = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(name));
            ScheduledFuture<?> unused = started.scheduleWithFixedDelay(
                    DaemonThreads.unending(this::run), first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
            thread = started;
        }
    }

    @Override
    public synchronized void stop() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
