package io.idem.benchmarks.database;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do the same at the same time. */
final class Callers implements AutoCloseable {

    private final int number;
    private final ExecutorService threads;

    Callers(int number) {
        this.number = number;
        this.threads = Executors.newFixedThreadPool(number);
    }

    interface Task {

        void run() throws Exception;
    }

    /**
     * Runs the task on all threads; returns when all have ended.
     *
     * @throws ExecutionException if one failed
     */
    void each(Task task) throws ExecutionException, InterruptedException {
        Callable<Boolean> call = () -> {
            task.run();
            return true;
        };
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int caller = 0; caller < number; caller++) {
            calls.add(call);
        }
        for (Future<Boolean> ended : threads.invokeAll(calls)) {
            ended.get();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
