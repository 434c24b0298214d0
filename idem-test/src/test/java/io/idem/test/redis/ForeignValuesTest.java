package io.idem.test.redis;

import static io.idem.test.redis.Acquires.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Something that idem did not write, under the name of a record. */
@Tag("servers")
class ForeignValuesTest {

    private static RedisStoreHarness harness;

    private final RecordId record = Acquires.someRecord();
    private final byte[] key = bytes(Acquires.keyOf(record));
    private final byte[] steps = bytes(Acquires.keyOf(record) + "/steps");

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness();
    }

    @AfterAll
    static void stop() {
        harness.stop();
    }

    /** Each foreign value with each call. */
    static Stream<Arguments> everywhere() {
        return values().flatMap(value -> calls().map(call -> Arguments.of(value, call)));
    }

    private static Stream<Named<BiConsumer<RedisCommands<byte[], byte[]>, byte[]>>> values() {
        String recordOfVersion2 = "21" + "00".repeat(43);
        return Stream.of(
                new Named<>("empty", (redis, key) -> redis.set(key, new byte[0])),
                new Named<>("text", (redis, key) -> redis.set(key, bytes("processing"))),
                new Named<>("number", (redis, key) -> redis.incr(key)),
                new Named<>(
                        "version 2",
                        (redis, key) -> redis.set(key, HexFormat.of().parseHex(recordOfVersion2))),
                new Named<>("list", (redis, key) -> redis.rpush(key, bytes("a"))),
                new Named<>("hash", (redis, key) -> redis.hset(key, bytes("state"), bytes("PENDING"))));
    }

    private static Stream<Named<BiConsumer<IdempotencyStore, Lease>>> calls() {
        return Stream.of(
                new Named<>("acquire", (store, lease) -> store.acquire(Acquires.request(lease.record()))),
                new Named<>("renew", IdempotencyStore::renew),
                new Named<>("complete", (store, lease) -> store.complete(lease, StoredResult.NONE)),
                new Named<>("fail", (store, lease) -> store.fail(lease, Duration.ZERO)),
                new Named<>("reject", (store, lease) -> store.reject(lease, "no")),
                new Named<>("reopen", (store, lease) -> store.reopen(lease.record(), 0, Duration.ofHours(1))),
                new Named<>("erase", (store, lease) -> store.erase(lease.record())),
                new Named<>("inspect", (store, lease) -> store.inspect(lease.record())));
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void itIsReportedAndLeftAsItIs(
            Named<BiConsumer<RedisCommands<byte[], byte[]>, byte[]>> value,
            Named<BiConsumer<IdempotencyStore, Lease>> call) {
        value.what().accept(harness.redis(), key);
        byte[] before = harness.redis().dump(key);
        Lease lease =
                new Lease(record, Acquires.request(record).owner(), 1, 1, Duration.ofMinutes(1), Duration.ofHours(1));

        assertThatThrownBy(() -> call.what().accept(harness.store(), lease))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining(record.toString());

        assertThat(harness.redis().dump(key)).isEqualTo(before);
        assertThat(harness.redis().pttl(key)).as("no expiry was set").isEqualTo(-1);
    }

    @Test
    void aFenceThatLuaCannotCountIsNotGuessed() {
        harness.redis().set(key, HexFormat.of().parseHex("110001" + "ff".repeat(7) + "00".repeat(34)));

        assertThatThrownBy(() -> harness.store().acquire(Acquires.request(record)))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining("2^53");
    }

    @Test
    void anUnreadableRecordOfOneScopeIsNotSilentlyLeftOutOfAStory() {
        harness.store().announce(record.scope());
        harness.redis().set(key, bytes("processing"));

        assertThatThrownBy(() -> harness.store().inspectAll(record.key()))
                .isInstanceOf(UnreadableRecordException.class);
    }

    @Test
    void whatIsNoScopeAmongTheAnnouncedOnesIsPassedOver() {
        harness.redis().sadd(bytes("idem:scopes"), bytes("NOT a scope"), bytes("payments"));
        harness.store().acquire(Acquires.request(record, Fingerprint.NONE));

        assertThat(harness.store().inspectAll(record.key()))
                .extracting(snapshot -> snapshot.scope())
                .isEqualTo(List.of(record.scope()));
    }

    /** Foreign values in place of steps, with what is said of them. */
    static Stream<Arguments> foreignSteps() {
        return Stream.of(
                Arguments.of(new Named<>("text", set(bytes("charge, reserve"))), "steps of another format"),
                Arguments.of(new Named<>("short", set(bytes("3"))), "steps of another format"),
                Arguments.of(
                        new Named<BiConsumer<RedisCommands<byte[], byte[]>, byte[]>>(
                                "list", (redis, key) -> redis.rpush(key, bytes("a"))),
                        "steps that are not a string"));
    }

    private static BiConsumer<RedisCommands<byte[], byte[]>, byte[]> set(byte[] value) {
        return (redis, key) -> redis.set(key, value);
    }

    @ParameterizedTest
    @MethodSource("foreignSteps")
    void foreignStepsAreReportedAndLeftAsTheyAre(
            Named<BiConsumer<RedisCommands<byte[], byte[]>, byte[]>> value, String report) {
        Lease lease = granted();
        value.what().accept(harness.redis(), steps);
        byte[] before = harness.redis().dump(steps);

        assertThat(List.of(new RecordUpdate.Recall(lease), charge(lease)))
                .allSatisfy(call -> assertThatThrownBy(() -> harness.store().update(call))
                        .isInstanceOf(UnreadableRecordException.class)
                        .hasMessageContaining(report));

        assertThat(harness.redis().dump(steps)).isEqualTo(before);
        assertThat(harness.redis().pttl(steps)).as("no expiry was set").isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 19})
    void stepsThatAreCutOffGetNoFurtherStep(int missing) {
        Lease lease = granted();
        harness.store().update(step(lease, "reserve"));
        byte[] whole = harness.redis().get(steps);
        byte[] cutOff = Arrays.copyOf(whole, whole.length - missing);
        harness.redis().set(steps, cutOff);

        assertThatThrownBy(() -> harness.store().update(charge(lease)))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining("steps that are cut off");

        assertThat(harness.redis().get(steps)).isEqualTo(cutOff);
    }

    private Lease granted() {
        return ((Claim.Granted) harness.store().acquire(Acquires.request(record))).lease();
    }

    private static RecordUpdate charge(Lease lease) {
        return step(lease, "charge");
    }

    private static RecordUpdate step(Lease lease, String name) {
        return new RecordUpdate.Remember(
                lease, lease.fence(), new RememberedStep(name, Kind.DONE, lease.fence(), StoredResult.NONE));
    }

    private record Named<T>(String name, T what) {
        @Override
        public String toString() {
            return name;
        }
    }
}
