package io.idem.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes threads that do not keep a process alive. */
public final class DaemonThreads {

    private static final Logger LOG = LoggerFactory.getLogger(DaemonThreads.class);
    private static final Executor LATER = Executors.newCachedThreadPool(named("idem-later"));

    private DaemonThreads() {}

    /** Returns an executor that runs each task after a pause. The common pool is not used: applications may block it. */
    public static Executor after(Duration pause) {
        return CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, LATER);
    }

    /** Returns threads that refuse a task while all of them have one. They end after half a minute without. */
    public static Executor atMost(int threads, String name) {
        return new ThreadPoolExecutor(0, threads, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), named(name));
    }

    /**
     * Returns a task that logs what it throws, errors too. An executor that repeats tasks ends the repetition of one that
     * throws, and logs nothing.
     */
    public static Runnable unending(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable failure) {
                try {
                    LOG.error(
                            "A task of {} failed; its next run follows",
                            Thread.currentThread().getName(),
                            failure);
                } catch (Throwable ignored) {
                    // There may be no memory for the line. The next run comes without it.
                }
            }
        };
    }

    /** Returns a factory whose threads all have this name. */
    public static ThreadFactory named(String name) {
        return task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        };
    }

    /** Returns a factory whose threads are numbered from 1 behind this prefix. */
    public static ThreadFactory numbered(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> named(prefix + number.incrementAndGet()).newThread(task);
    }
}
