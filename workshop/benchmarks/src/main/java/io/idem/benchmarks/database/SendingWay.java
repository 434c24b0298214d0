package io.idem.benchmarks.database;

import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/** A way whose messages count when the message that each of them sends has arrived. */
abstract class SendingWay implements Way {

    private final Callers callers = new Callers(CallerWay.CALLERS);
    private final Arrivals arrivals;
    private final LongAdder handled = new LongAdder();

    SendingWay(Arrivals arrivals) {
        this.arrivals = arrivals;
    }

    /** Handles one new message, which sends one. */
    abstract void message(UUID key) throws Exception;

    final String topic() {
        return arrivals.topic();
    }

    @Override
    public final void run(long deadline) throws Exception {
        callers.each(() -> {
            do {
                arrivals.beforeSending();
                message(UUID.randomUUID());
                handled.increment();
            } while (System.nanoTime() < deadline);
        });
        arrivals.awaitAll();
    }

    @Override
    public final long handled() {
        return handled.sum();
    }

    @Override
    public void close() {
        callers.close();
        arrivals.close();
    }
}
