package io.idem.internal;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that wait for a server in place of callers that must not block. Idle threads end. No {@code Executor}, because Spring
 * Boot makes no task executor beside a bean of that type. Thread-safe.
 */
public final class WaitingThreads implements AutoCloseable {

    /** The number of batches that may wait. Further ones are refused, and their requests count as not executed. */
    private static final int MOST_WAITING = 4096;

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor pool;

    /**
     * Creates the pool, whose threads begin with their work.
     *
     * @param threads how many calls run at a time
     */
    public WaitingThreads(String name, int threads) {
        this.pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                DaemonThreads.named(name));
        pool.allowCoreThreadTimeOut(true);
    }

    /** Returns how many calls run at a time. */
    public int size() {
        return pool.getCorePoolSize();
    }

    /** Runs a task on one of the threads. */
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /**
     * Stops accepting batches. Waiting batches still run, and fail if the server is gone by then, so that no caller
     * waits without end.
     */
    @Override
    public void close() {
        pool.shutdown();
    }
}
