package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Keys that a header mapper has encoded, on a real Redis: what a version recorded that took them with their quotes, as the
 * bytes that it wrote, and what such a version finds.
 */
@Tag("servers")
class EncodedKeysOfEarlierVersionsTest {

    private static final Scope PAYMENTS = new Scope("payments");
    private static final StoredResult PAID = StoredResult.of("raw", "paid".getBytes(StandardCharsets.UTF_8));

    private static RedisStoreHarness harness;

    private final List<Claim> claims = new ArrayList<>();

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness();
    }

    @AfterAll
    static void stop() {
        harness.stop();
    }

    @BeforeEach
    void empty() {
        harness.close();
    }

    /** Puts a record into Redis as it was written under a key with quotes. */
    private static void recorded(String name, String hex) {
        harness.redis()
                .psetex(
                        name.getBytes(StandardCharsets.US_ASCII),
                        Duration.ofDays(7).toMillis(),
                        HexFormat.of().parseHex(hex));
    }

    private Outcome<String> execute(IdempotencyKey key) throws Exception {
        try (IdempotentExecutor executor = IdempotentExecutor.on(harness.store())
                .listeners(List.of(event -> {
                    if (event instanceof IdempotencyEvent.Claimed claimed) {
                        claims.add(claimed.claim());
                    }
                }))
                .build()) {
            return executor.execute(
                    Operation.of(key, PAYMENTS, ExecutionPolicy.defaults()),
                    attempt -> new WorkResult.Complete<>("paid", PAID));
        }
    }

    private static IdempotencyKey decoded(String key) {
        return IdempotencyKey.of(key).formerly(IdempotencyKey.of("\"" + key + "\""));
    }

    private static RecordState state(String key) {
        return harness.store()
                .inspect(new RecordId(IdempotencyKey.of(key), PAYMENTS))
                .map(RecordSnapshot::state)
                .orElse(RecordState.ABSENT);
    }

    @Test
    void workThatWasFinishedIsReplayedAndKnownUnderBothKeys() throws Exception {
        recorded(
                "idem:{VtnKT0L-DYaq1W3qMD4Ghg}:payments",
                "12000106615da48c42a001a22442b37a000000000000000000000000000000000372617770616964");

        assertThat(execute(decoded("order-1"))).isInstanceOf(Outcome.Replayed.class);

        assertThat(state("order-1")).isEqualTo(RecordState.COMPLETED);
        assertThat(execute(IdempotencyKey.of("order-1"))).isInstanceOf(Outcome.Replayed.class);
    }

    @Test
    void workThatWasRejectedStaysRejected() throws Exception {
        recorded(
                "idem:{L7ONPHORCKw1236Sd5CJdw}:payments",
                "14000106615da48fc29401a22442b45600000000000000000000000000000000636172642072656675736564");

        assertThat(execute(decoded("order-2"))).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void workWhoseOwnerDiedIsTakenOver() throws Exception {
        recorded(
                "idem:{TV3I8ojE3LaXcA7myBdSZQ}:payments",
                "11000106615da4914cd001a2244329be6d224bf10f1658c5ef7447ef00000000000000000000000000000000");

        assertThat(execute(decoded("order-3"))).isInstanceOf(Outcome.Executed.class);

        assertThat(claims)
                .singleElement()
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.isTakeover()).isTrue());
    }

    @Test
    void anEarlierVersionFindsWhatThisOneHasDone() throws Exception {
        assertThat(execute(decoded("order-4"))).isInstanceOf(Outcome.Executed.class);

        assertThat(execute(IdempotencyKey.of("\"order-4\""))).isInstanceOf(Outcome.Replayed.class);
        assertThat(state("\"order-4\"")).isEqualTo(RecordState.COMPLETED);
    }
}
