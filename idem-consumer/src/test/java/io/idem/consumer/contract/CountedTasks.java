package io.idem.consumer.contract;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the work of listeners that ends after their return, and can wait for the end of all of it. */
public final class CountedTasks implements Executor {

    private final AtomicInteger running = new AtomicInteger();
    private final Executor threads;

    /** Runs each task on a new thread. */
    public CountedTasks() {
        this(task -> new Thread(task).start());
    }

    /** Runs the tasks on given threads. */
    public CountedTasks(Executor threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        running.incrementAndGet();
        threads.execute(() -> {
            try {
                task.run();
            } finally {
                running.decrementAndGet();
            }
        });
    }

    /** Waits until no task runs. */
    public void awaitEnd() {
        await().until(() -> running.get() == 0);
    }
}
