package io.idem.benchmarks.database;

import java.util.concurrent.atomic.LongAdder;

/** The other system, which answers at once: only the memory of its calls is measured. Thread-safe. */
final class Provider {

    private static final String RECEIPT = "r".repeat(Results.BYTES);

    private final LongAdder calls = new LongAdder();

    /** Answers a call with this idempotency key by a small result. */
    String call(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("A call without a key");
        }
        calls.increment();
        return RECEIPT;
    }

    /** Returns the number of calls so far. */
    long calls() {
        return calls.sum();
    }
}
