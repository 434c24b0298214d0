package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.Claim;
import io.idem.StoreUnavailableException;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.RunningSentinels;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Sentinels change for a client. */
@Tag("extended")
class SentinelTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final RunningSentinels sentinels = RedisServers.startSentinels(1);

    @AfterEach
    void stop() {
        sentinels.close();
    }

    @Test
    void aFailoverOnRequestIsFollowedOnTheSameStore() {
        RunningRedis first = sentinels.master();
        try (RedisIdempotencyStore store = new RedisIdempotencyStore(RedisSettings.of(TopologyHarness.of(sentinels)))) {
            granted(store.acquire(request(someRecord())));

            sentinels.sentinels().get(0).command("SENTINEL", "FAILOVER", RunningSentinels.MASTER);
            await().atMost(PATIENCE).until(() -> sentinels.master() != first);

            await().ignoreExceptions()
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(store.acquire(request(someRecord()))).isInstanceOf(Claim.Granted.class));
            assertThat(sentinels.master().info("role")).isEqualTo("master");
        }
    }

    @Test
    void aServerThatWasDemotedWithoutTheClientNoticingIsNotAskedAgain() {
        RunningRedis master = sentinels.master();
        RunningRedis replica = sentinels.servers().stream()
                .filter(server -> server != master)
                .findFirst()
                .orElseThrow();
        try (RedisIdempotencyStore store = new RedisIdempotencyStore(RedisSettings.of(TopologyHarness.of(sentinels)))) {
            granted(store.acquire(request(someRecord())));
            // By hand, and so without ending the connections of clients, as Sentinels do.
            sentinels.sentinels().forEach(RunningRedis::freeze);
            replica.command("REPLICAOF", "NO", "ONE");
            master.command("REPLICAOF", replica.host(), Integer.toString(replica.port()));

            assertThatThrownBy(() -> store.acquire(request(someRecord())))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("READONLY");
            sentinels.sentinels().forEach(RunningRedis::thaw);

            await().ignoreExceptions()
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(store.acquire(request(someRecord()))).isInstanceOf(Claim.Granted.class));
        }
    }

    @Test
    void aSentinelThatIsGoneIsPassedOver() {
        sentinels.sentinels().get(0).kill();

        try (RedisIdempotencyStore store = new RedisIdempotencyStore(RedisSettings.of(TopologyHarness.of(sentinels)))) {
            granted(store.acquire(request(someRecord())));
        }
    }

    @Test
    void aReplicaGivenAsASingleServerIsAClearError() {
        RunningRedis replica = sentinels.servers().get(1);
        try (RedisIdempotencyStore store =
                new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(replica.uri())))) {
            assertThatThrownBy(() -> store.acquire(request(someRecord())))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("the address names a replica");
        }
    }
}
