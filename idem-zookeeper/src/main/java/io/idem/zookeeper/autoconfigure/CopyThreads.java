package io.idem.zookeeper.autoconfigure;

import io.idem.internal.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that wait for Redis in front of ZooKeeper in place of callers that must not block. Idle threads end. */
final class CopyThreads implements Executor, AutoCloseable {

    private static final int THREADS = 4;

    /** The number of batches that may wait. Further ones are refused, and their requests count as not executed. */
    private static final int MOST_WAITING = 4096;

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor pool;

    CopyThreads() {
        this.pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                DaemonThreads.named("idem-zookeeper"));
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /** Stops accepting batches. Waiting batches still run, so that no caller waits without end. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
