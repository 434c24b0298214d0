package io.idem.test.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.RecordId;
import io.idem.StoreAnswer;
import io.idem.test.contract.InMemoryStoreHarness;
import io.idem.test.contract.StoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One seed's steps on an empty Redis, compared with the reference step by step; about half of them are sent twice. */
final class FuzzRun {

    private static final int REMEMBERED = 25;

    /** Between steps, for the reference as for servers: fences of grants differ by more than what operators add. */
    static final Duration TICK = Duration.ofMillis(1);

    private final long seed;
    private final Random random;
    private final Generator generator;
    private final List<RecordId> records = Generator.records();
    private final Deque<Answered> history = new ArrayDeque<>();
    private final Map<RecordId, Compared> compared = new HashMap<>();
    private final Function<List<RecordId>, List<String>> bytes;
    private final InMemoryStoreHarness memoryHarness = new InMemoryStoreHarness();
    private final Side memory;
    private final Side redis;
    private final Invariants invariantsOfMemory;
    private final Invariants invariantsOfRedis;

    private List<String> stored;
    private int calls;

    FuzzRun(long seed, RedisStoreHarness redisHarness) {
        this(seed, redisHarness, redisHarness::stored);
    }

    /** A run against any store; {@code bytes} reads several of its records as they are stored. */
    FuzzRun(long seed, StoreHarness harness, Function<List<RecordId>, List<String>> bytes) {
        this.seed = seed;
        this.random = new Random(seed);
        this.generator = new Generator(random);
        this.bytes = bytes;
        this.memory = new Side(memoryHarness, memoryHarness.clock());
        this.redis = new Side(harness, InstantSource.system());
        this.invariantsOfMemory = new Invariants(memoryHarness.clock());
        this.invariantsOfRedis = new Invariants(memoryHarness.clock());
        this.stored = bytes.apply(records);
    }

    /** Answers how many grants were given. A call that is sent twice counts twice. */
    int run(int operations) {
        try {
            while (calls < operations) {
                step(generator.next(memory.grants(), memory.recordsOfGrants()));
            }
            return memory.grants();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "Repeat with -Didem.fuzz.seed=" + seed + " -Didem.fuzz.operations=" + operations
                            + "; the last steps were\n" + lastSteps(),
                    failure);
        }
    }

    private void step(Step step) {
        if (step instanceof Step.Batch batch) {
            batch(batch);
            return;
        }
        List<String> before = stored;
        Object answer = runOnBoth(step);
        if (step instanceof Step.Advance) {
            return;
        }
        List<String> after = stored;
        assertOthersUntouched(Set.of(step.record()), before, after);
        if (answer instanceof StoreAnswer.Lost) {
            assertThat(after)
                    .as("I8: a settle by a non-owner leaves the record byte-identical")
                    .isEqualTo(before);
        }
        if (random.nextBoolean()) {
            repeat(step, answer);
        }
    }

    /** Sent twice only if no record comes twice: then the second call repeats the first one of each record alone. */
    private void batch(Step.Batch batch) {
        Set<RecordId> about = batch.steps().stream().map(Step::record).collect(Collectors.toSet());
        List<String> before = stored;
        List<Object> first = runAllOnBoth(batch);
        assertOthersUntouched(about, before, stored);
        if (about.size() == batch.steps().size() && random.nextBoolean()) {
            Map<RecordId, String> states = states(about);
            List<Object> second = runAllOnBoth(batch);
            for (int i = 0; i < first.size(); i++) {
                assertRepeated(batch.steps().get(i), first.get(i), second.get(i));
            }
            assertThat(states(about))
                    .as("I7: states after the same batch, in both stores")
                    .isEqualTo(states);
        }
    }

    private Map<RecordId, String> states(Set<RecordId> of) {
        return of.stream().collect(Collectors.toMap(record -> record, memory::snapshot));
    }

    private List<Object> runAllOnBoth(Step.Batch batch) {
        calls += batch.steps().size();
        memoryHarness.advance(TICK);
        List<Object> expected = memory.runAll(batch);
        List<Object> actual = redis.runAll(batch);
        stored = bytes.apply(records);
        for (int i = 0; i < actual.size(); i++) {
            Step step = batch.steps().get(i);
            remember(new Answered(step, actual.get(i)));
            assertThat(redis.comparable(step, actual.get(i))).isEqualTo(memory.comparable(step, expected.get(i)));
            invariantsOfMemory.check(step, memory.leaseOf(step), expected.get(i));
            invariantsOfRedis.check(step, redis.leaseOf(step), actual.get(i));
        }
        batch.steps().stream().map(Step::record).distinct().forEach(this::compareSnapshots);
        return actual;
    }

    private Object runOnBoth(Step step) {
        calls++;
        memoryHarness.advance(TICK);
        Object expected = memory.run(step);
        Object actual = redis.run(step);
        remember(new Answered(step, actual));
        stored = bytes.apply(records);
        assertThat(redis.comparable(step, actual)).isEqualTo(memory.comparable(step, expected));
        compareSnapshots(step.record());
        invariantsOfMemory.check(step, memory.leaseOf(step), expected);
        invariantsOfRedis.check(step, redis.leaseOf(step), actual);
        return actual;
    }

    /** What has the bytes that it had when it was last compared need not be read once more. */
    private void compareSnapshots(RecordId record) {
        String bytes = stored.get(records.indexOf(record));
        Compared before = compared.get(record);
        String snapshot = before != null && before.bytes().equals(bytes) ? before.snapshot() : redis.snapshot(record);
        assertThat(snapshot).isEqualTo(memory.snapshot(record));
        compared.put(record, new Compared(bytes, snapshot));
    }

    private void assertOthersUntouched(Set<RecordId> about, List<String> before, List<String> after) {
        for (int i = 0; i < records.size(); i++) {
            boolean same = after.get(i).equals(before.get(i));
            if (!same && !about.contains(records.get(i))) {
                throw new AssertionError("I9: " + records.get(i) + " is not untouched");
            }
        }
    }

    /**
     * I7: twice is once. A second acquire or renewal may move the end of the lease, by the time in between; PostgreSQL
     * writes a step again, unchanged.
     */
    private void repeat(Step step, Object first) {
        String snapshot = memory.snapshot(step.record());
        List<String> before = stored;

        Object second = runOnBoth(step);

        assertRepeated(step, first, second);
        assertThat(memory.snapshot(step.record()))
                .as("I7: state after the same call, in both stores")
                .isEqualTo(snapshot);
        boolean rewritten =
                first instanceof Claim.Granted || step instanceof Step.Renew || step instanceof Step.Remember;
        if (!rewritten) {
            assertThat(stored).as("I7: bytes after the same call").isEqualTo(before);
        }
    }

    private void assertRepeated(Step step, Object first, Object second) {
        assertThat(redis.comparable(step, second))
                .as("I7: answer to the same call")
                .isEqualTo(redis.comparable(step, first)
                        .replaceFirst("granted (FRESH|RETRY|TAKEOVER)", "granted REENTRANT"));
    }

    private void remember(Answered answered) {
        history.add(answered);
        if (history.size() > REMEMBERED) {
            history.remove();
        }
    }

    private String lastSteps() {
        return history.stream()
                .map(answered -> answered.step() + " -> " + redis.comparable(answered.step(), answered.answer()))
                .collect(Collectors.joining("\n"));
    }

    private record Answered(Step step, Object answer) {}

    private record Compared(String bytes, String snapshot) {}
}
