package io.idem.test.redis;

import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two applications, or two environments, that share a Redis. */
@Tag("servers")
class NamespaceTest {

    private static RedisStoreHarness harness;
    private static IdempotencyStore shop;
    private static IdempotencyStore staging;

    private final RecordId record = someRecord();

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness();
        RedisSettings settings =
                RedisSettings.of(RedisURI.create(harness.server().uri()));
        shop = new RedisIdempotencyStore(settings.withNamespace("shop"));
        staging = new RedisIdempotencyStore(settings.withNamespace("shop-staging"));
    }

    @AfterAll
    static void stop() {
        shop.close();
        staging.close();
        harness.stop();
    }

    @Test
    void theyNeverSeeEachOthersRecordsAndScopes() {
        shop.announce(record.scope());
        shop.complete(lease(shop, record), StoredResult.NONE);

        assertThat(staging.acquire(request(record))).isInstanceOf(Claim.Granted.class);
        assertThat(shop.acquire(request(record))).isInstanceOf(Claim.Replay.class);
        assertThat(staging.inspectAll(record.key()))
                .as("no scope is announced here")
                .isEmpty();
        staging.announce(record.scope());
        assertThat(staging.inspectAll(record.key()))
                .extracting(RecordSnapshot::state)
                .containsExactly(RecordState.PENDING);
        assertThat(harness.redis().keys("idem:*")).isEmpty();
    }

    @Test
    void allScopesOfAKeyStayInOneSlot() {
        String key = "shop:eu:{" + record.key().id() + "}:";

        assertThat(SlotHash.getSlot(key + "payments")).isEqualTo(SlotHash.getSlot(key + "receipts"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{shop}", "shop{", "a b", ":shop", "ça"})
    void aNameThatCouldBreakThatIsRefused(String name) {
        RedisSettings settings = RedisSettings.of(RedisURI.create("localhost", 1));

        assertThatThrownBy(() -> settings.withNamespace(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("namespace", name);
    }
}
