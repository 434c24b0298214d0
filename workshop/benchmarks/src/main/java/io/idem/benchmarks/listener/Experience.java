package io.idem.benchmarks.listener;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the messages that listeners have handled so far in this JVM, over all rounds. Compiled code is to be measured,
 * and a batch listener is so fast that a short warm-up would end before its code is compiled. Not thread-safe.
 */
final class Experience {

    /** The number of messages that a batch listener handles before the measurement. */
    static final int ENOUGH = 100_000;

    private final Map<String, Integer> seen = new HashMap<>();

    /** Returns how many messages a listener still has to handle before the usual warm-up. */
    int missing(String listener, int warmUp) {
        return Math.max(0, ENOUGH - warmUp - seen.getOrDefault(listener, 0));
    }

    /** Adds handled messages of a listener. */
    void saw(String listener, int messages) {
        seen.merge(listener, messages, Integer::sum);
    }
}
