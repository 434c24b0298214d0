package io.idem.test.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.test.contract.InMemoryStoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import io.idem.test.upgrade.RollingUpgrade;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two versions of the scripts on one key space against the reference: each operation goes to one of them at random, and so
 * does each look at the record afterwards. Repeat a run with {@code -Didem.fuzz.seed=…}; {@code -Didem.fuzz.operations=…}
 * sets its length.
 */
@Tag("servers")
class RollingUpgradeFuzzTest {

    private static final Logger LOG = LoggerFactory.getLogger(RollingUpgradeFuzzTest.class);
    private static final int OPERATIONS = Integer.getInteger("idem.fuzz.operations", 5_000);

    private final long seed = Long.getLong("idem.fuzz.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Generator generator = new Generator(random);
    private final InMemoryStoreHarness memoryHarness = new InMemoryStoreHarness();
    private final RedisStoreHarness redisHarness =
            new RedisStoreHarness(server -> RollingUpgrade.on(server, random::nextBoolean));
    private final Side memory = new Side(memoryHarness, memoryHarness.clock());
    private final Side redis = new Side(redisHarness, InstantSource.system());
    private final Invariants invariants = new Invariants(memoryHarness.clock());

    @AfterEach
    void stop() {
        redisHarness.stop();
    }

    @Test
    void everyRecordThatEitherVersionWritesIsHandledByBoth() {
        LOG.info("Rolling upgrade fuzz: {} operations, seed {}", OPERATIONS, seed);
        for (int i = 0; i < OPERATIONS; i++) {
            memoryHarness.advance(FuzzRun.TICK);
            step(generator.next(memory.grants(), memory.recordsOfGrants()), i);
        }
        LOG.info("Rolling upgrade fuzz: {} grants, no violation", memory.grants());
    }

    private void step(Step step, int number) {
        String where = "step %d, %s; repeat with -Didem.fuzz.seed=%d".formatted(number, step, seed);
        if (step instanceof Step.Batch batch) {
            List<Object> expected = memory.runAll(batch);
            List<Object> actual = redis.runAll(batch);
            for (int i = 0; i < actual.size(); i++) {
                check(batch.steps().get(i), expected.get(i), actual.get(i), where);
            }
        } else {
            check(step, memory.run(step), redis.run(step), where);
        }
        assertThat(redis.snapshot(step.record())).as(where).isEqualTo(memory.snapshot(step.record()));
    }

    private void check(Step step, Object expected, Object actual, String where) {
        assertThat(redis.comparable(step, actual)).as(where).isEqualTo(memory.comparable(step, expected));
        invariants.check(step, redis.leaseOf(step), actual);
    }
}
