package io.idem.consumer.contract;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** The tasks of listeners whose work ends after their return, of which it is known when the last one has ended. */
public final class CountedTasks implements Executor {

    private final AtomicInteger running = new AtomicInteger();
    private final Executor threads;

    /** On a new thread each. */
    public CountedTasks() {
        this(task -> new Thread(task).start());
    }

    /** On the threads of {@code threads}. */
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

    /** Waits for all tasks, and for what follows each of them on its thread. */
    public void awaitEnd() {
        await().until(() -> running.get() == 0);
    }
}
