package io.idem.benchmarks.listener;

import java.util.HashMap;
import java.util.Map;

/**
 * What listeners have seen so far in this JVM, whose compiler goes on where it was in the round before: compiled code is to be measured, and a
 * batch is so fast that few messages would be over before it is. Not thread-safe.
 */
final class Experience {

    /** Of a listener of batches, before anything is counted. */
    static final int ENOUGH = 100_000;

    private final Map<String, Integer> seen = new HashMap<>();

    /** How many messages a listener has to see yet before those are counted that come behind the usual warm-up. */
    int missing(String listener, int warmUp) {
        return Math.max(0, ENOUGH - warmUp - seen.getOrDefault(listener, 0));
    }

    /** So many more were done. */
    void saw(String listener, int messages) {
        seen.merge(listener, messages, Integer::sum);
    }
}
