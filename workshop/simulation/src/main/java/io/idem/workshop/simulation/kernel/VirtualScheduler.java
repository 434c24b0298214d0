package io.idem.workshop.simulation.kernel;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@link java.util.concurrent.ScheduledThreadPoolExecutor}. Belongs to the machine that creates it, and runs
 * as many tasks at a time as it would have threads.
 */
public final class VirtualScheduler extends AbstractExecutorService implements ScheduledExecutorService {

    private final Kernel kernel = Kernel.current();
    private final Machine machine = kernel.machine();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final boolean discards;
    private final int threads;
    private int busy;
    private boolean shutDown;

    public VirtualScheduler(int threads, ThreadFactory unused) {
        this(threads, unused, new ThreadPoolExecutor.AbortPolicy());
    }

    public VirtualScheduler(int threads, ThreadFactory unused, RejectedExecutionHandler handler) {
        this.threads = threads;
        this.discards = handler instanceof ThreadPoolExecutor.DiscardPolicy;
    }

    public void setRemoveOnCancelPolicy(boolean unused) {}

    public void setKeepAliveTime(long unused, TimeUnit unit) {}

    public void allowCoreThreadTimeOut(boolean unused) {}

    @Override
    public void execute(Runnable command) {
        var unused = schedule(command, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return plan(
                new Planned<>(() -> {
                    command.run();
                    return Boolean.TRUE;
                }),
                unit.toNanos(delay));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> command, long delay, TimeUnit unit) {
        return plan(new Planned<>(command), unit.toNanos(delay));
    }

    private <V> Planned<V> plan(Planned<V> task, long nanos) {
        if (shutDown && !discards) {
            throw new RejectedExecutionException(machine + " stops");
        }
        task.at = kernel.now() + nanos;
        task.takeBack = kernel.after(nanos, machine, () -> begin(task));
        return task;
    }

    private void begin(Runnable task) {
        if (shutDown) {
            return;
        }
        if (busy == threads) {
            waiting.add(task);
            return;
        }
        busy++;
        try {
            task.run();
        } finally {
            busy--;
            Runnable next = waiting.poll();
            if (next != null) {
                kernel.after(0, machine, () -> begin(next));
            }
        }
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        shutDown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutDown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shutDown;
    }

    @Override
    public boolean isTerminated() {
        return shutDown && busy == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }

    private final class Planned<V> extends FutureTask<V> implements ScheduledFuture<V> {

        private long at;
        private @Nullable Runnable takeBack;

        Planned(Callable<V> what) {
            super(what);
        }

        @Override
        public boolean cancel(boolean interrupt) {
            if (takeBack != null) {
                takeBack.run();
            }
            return super.cancel(interrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(at - kernel.now(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
