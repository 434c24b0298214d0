package io.idem.benchmarks.database;

import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/** A way whose callers wait for each message: eight threads, each with one message at a time, and at least one each. */
abstract class CallerWay implements Way {

    static final int CALLERS = 8;

    private final Callers callers = new Callers(CALLERS);
    private final LongAdder handled = new LongAdder();

    /** Handles one message; a second call with the same key is a duplicate. */
    abstract void message(UUID key) throws Exception;

    /** Returns whether a second call with a key does less than the first. */
    boolean recognisesDuplicates() {
        return true;
    }

    @Override
    public final void run(long deadline) throws Exception {
        callers.each(() -> {
            do {
                message(UUID.randomUUID());
                handled.increment();
            } while (System.nanoTime() < deadline);
        });
    }

    @Override
    public final long handled() {
        return handled.sum();
    }

    @Override
    public void close() {
        callers.close();
    }
}
