package io.idem.benchmarks.engine;

import java.util.Objects;

/** The Redis server of the JVM that measures. */
final class BenchRedis {

    /** The system property with its URI. */
    static final String PROPERTY = "idem.bench.redis";

    private BenchRedis() {}

    static String uri() {
        return Objects.requireNonNull(
                System.getProperty(PROPERTY), PROPERTY + " is not set: start through workshop/bench");
    }
}
