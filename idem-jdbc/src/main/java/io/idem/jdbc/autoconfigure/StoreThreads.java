package io.idem.jdbc.autoconfigure;

import io.idem.internal.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Threads that wait for PostgreSQL in place of callers that must not block. Idle threads end. */
final class StoreThreads implements Executor, AutoCloseable {

    /** The number of batches that may wait. Further ones are refused, and their requests count as not executed. */
    private static final int MOST_WAITING = 4096;

    private static final int IDLE_SECONDS = 30;

    /** Threads where the size of the pool of connections is not known. */
    private static final int DEFAULT_THREADS = 4;

    private final ThreadPoolExecutor pool;

    StoreThreads(int threads) {
        this.pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                DaemonThreads.numbered("idem-postgresql-"));
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * As many threads as half of the connections, so that callers that wait for the database themselves find one too.
     *
     * @param connections most connections of the pool; null or negative if that is not known
     */
    static StoreThreads besideOthersIn(@Nullable Integer connections) {
        return new StoreThreads(
                connections == null || connections < 1 ? DEFAULT_THREADS : Math.max(1, connections / 2));
    }

    /** How many calls run at a time. */
    int size() {
        return pool.getCorePoolSize();
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /**
     * Stops accepting batches. Waiting batches still run, and fail if the database is gone by then, so that no caller
     * waits without end.
     */
    @Override
    public void close() {
        pool.shutdown();
    }
}
