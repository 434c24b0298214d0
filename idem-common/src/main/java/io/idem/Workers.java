package io.idem;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Threads on which what may take time runs. Tasks that they refuse run on the thread that brought them: an effect is to be
 * recorded also while an application stops.
 */
record Workers(Executor threads) implements Executor {

    /** Whoever brings a task runs it. */
    static final Workers NONE = new Workers(Caller.ITSELF);

    /** Whether tasks run on the thread that brings them. */
    boolean areNone() {
        return threads instanceof Caller;
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException refused) {
            task.run();
        }
    }

    private enum Caller implements Executor {
        ITSELF;

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }
}
