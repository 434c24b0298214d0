package io.idem.test.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.spi.Claim;
import io.idem.spi.RecordId;
import io.idem.spi.Settlement;
import io.idem.test.InMemoryStoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scripts against the reference, by random operations of several owners on few records, about half of them sent twice.
 * Repeat a run with {@code -Didem.fuzz.seed=…}; {@code -Didem.fuzz.operations=…} sets its length.
 */
class StoreFuzzTest {

    private static final Logger LOG = LoggerFactory.getLogger(StoreFuzzTest.class);
    private static final int OPERATIONS = Integer.getInteger("idem.fuzz.operations", 10_000);
    private static final int REMEMBERED = 25;

    private final long seed = Long.getLong("idem.fuzz.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Generator generator = new Generator(random);
    private final List<RecordId> records = Generator.records();
    private final Deque<String> history = new ArrayDeque<>();
    private final InMemoryStoreHarness memoryHarness = new InMemoryStoreHarness();
    private final RedisStoreHarness redisHarness = new RedisStoreHarness();
    private final Side memory = new Side(memoryHarness, memoryHarness.clock());
    private final Side redis = new Side(redisHarness, InstantSource.system());
    private final Invariants invariantsOfMemory = new Invariants(memoryHarness.clock());
    private final Invariants invariantsOfRedis = new Invariants(memoryHarness.clock());

    private List<String> stored = redisHarness.stored(records);

    @AfterEach
    void stop() {
        redisHarness.stop();
    }

    @Test
    void scriptsAndReferenceAgreeAndKeepTheInvariants() {
        LOG.info("Script fuzz: {} operations, seed {}", OPERATIONS, seed);
        try {
            for (int i = 0; i < OPERATIONS; i++) {
                step(generator.next(memory.grants(), memory.recordsOfGrants()));
            }
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "Repeat with -Didem.fuzz.seed=" + seed + "; the last steps were\n" + String.join("\n", history),
                    failure);
        }
        LOG.info("Script fuzz: {} grants, no violation", memory.grants());
    }

    private void step(Step step) {
        List<String> before = stored;
        Object answer = runOnBoth(step);
        stored = redisHarness.stored(records);
        if (step instanceof Step.Advance) {
            return;
        }
        List<String> after = stored;
        assertOthersUntouched(step, before, after);
        if (answer instanceof Settlement.Lost) {
            assertThat(after)
                    .as("I8: a settle by a non-owner leaves the record byte-identical")
                    .isEqualTo(before);
        }
        if (random.nextBoolean()) {
            repeat(step, answer);
        }
    }

    private Object runOnBoth(Step step) {
        Object expected = memory.run(step);
        Object actual = redis.run(step);
        remember(step + " -> " + redis.comparable(actual));
        assertThat(redis.comparable(actual)).isEqualTo(memory.comparable(expected));
        assertThat(redis.snapshot(step.record())).isEqualTo(memory.snapshot(step.record()));
        invariantsOfMemory.check(step, memory.leaseOf(step), expected);
        invariantsOfRedis.check(step, redis.leaseOf(step), actual);
        return actual;
    }

    private void assertOthersUntouched(Step step, List<String> before, List<String> after) {
        for (int i = 0; i < records.size(); i++) {
            if (!records.get(i).equals(step.record())) {
                assertThat(after.get(i)).as("I9: %s untouched", records.get(i)).isEqualTo(before.get(i));
            }
        }
    }

    /** I7: twice is once. What a second acquire or renewal may move is the end of the lease, by the time in between. */
    private void repeat(Step step, Object first) {
        String snapshot = memory.snapshot(step.record());

        Object second = runOnBoth(step);

        assertThat(redis.comparable(second))
                .as("I7: answer to the same call")
                .isEqualTo(redis.comparable(first).replaceFirst("granted (FRESH|RETRY|TAKEOVER)", "granted REENTRANT"));
        assertThat(memory.snapshot(step.record()))
                .as("I7: state after the same call, in both stores")
                .isEqualTo(snapshot);
        List<String> before = stored;
        stored = redisHarness.stored(records);
        boolean extended = first instanceof Claim.Granted || step instanceof Step.Renew;
        if (!extended) {
            assertThat(stored).as("I7: bytes after the same call").isEqualTo(before);
        }
    }

    private void remember(String line) {
        history.add(line);
        if (history.size() > REMEMBERED) {
            history.remove();
        }
    }
}
