package io.idem.test.fuzz;

import io.idem.test.redis.RedisStoreHarness;

/** The fuzz, for tests that break what it runs on. */
public final class Fuzzing {

    private Fuzzing() {}

    /**
     * Compares an empty store on Redis with the reference.
     *
     * @throws AssertionError at the first difference or broken invariant
     */
    public static void run(long seed, RedisStoreHarness harness, int operations) {
        new FuzzRun(seed, harness).run(operations);
    }
}
