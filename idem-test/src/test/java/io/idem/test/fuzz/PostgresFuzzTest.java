package io.idem.test.fuzz;

import io.idem.test.jdbc.PostgresStoreHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL's statements against the reference; repeat a run with {@code -Didem.fuzz.seed=…}. */
@Tag("servers")
class PostgresFuzzTest {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresFuzzTest.class);
    private static final int USUAL = 1_000;
    private static final int MANY = 40_000;

    private final long seed = Long.getLong("idem.fuzz.seed", System.nanoTime());
    private final PostgresStoreHarness harness = new PostgresStoreHarness();

    @AfterEach
    void stop() {
        harness.stop();
    }

    @Test
    void statementsAndReferenceAgreeAndKeepTheInvariants() {
        fuzz(Integer.getInteger("idem.fuzz.operations", USUAL));
    }

    @Test
    @Tag("extended")
    void theyAgreeForLong() {
        fuzz(Integer.getInteger("idem.fuzz.operations", MANY));
    }

    private void fuzz(int operations) {
        LOG.info("PostgreSQL fuzz: {} operations, seed {}", operations, seed);
        int grants = new FuzzRun(seed, harness, harness::stored).run(operations);
        LOG.info("PostgreSQL fuzz: {} grants, no violation", grants);
    }
}
