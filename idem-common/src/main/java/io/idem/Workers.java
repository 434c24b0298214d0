package io.idem;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Threads on which what may take time runs. Tasks that they refuse run on the thread that brought them: an effect is to be
 * recorded also while an application stops.
 */
record Workers(Executor threads) implements Executor {

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException refused) {
            task.run();
        }
    }
}
