package io.idem.test.redis;

import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documented user needs each of its permissions for, and servers that hide commands. */
@Tag("servers")
class AclTest {

    private static RunningRedis server;

    private final RecordId record = someRecord();

    @BeforeAll
    static void start() {
        server = RedisServers.start(ServerOptions.own());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void empty() {
        forgetScripts();
    }

    private static void forgetScripts() {
        try (RedisClient client = RedisClient.create(server.uri())) {
            client.connect().sync().scriptFlush();
        }
    }

    private static RedisIdempotencyStore storeWithout(String rule) {
        List<String> rules = new ArrayList<>(DocumentedAcl.rules());
        assertThat(rules.remove(rule)).as("%s is documented", rule).isTrue();
        return new RedisIdempotencyStore(RedisSettings.of(DocumentedAcl.user(server, rules)));
    }

    private static void assertForbidden(Runnable call) {
        assertThatThrownBy(call::run)
                .hasMessageContaining("its user lacks a permission")
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        forbidden -> assertThat(forbidden.execution()).isEqualTo(Execution.NOT_EXECUTED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+evalsha", "+eval", "+time", "+set", "~idem:*"})
    void withoutAPermissionOfTheScriptsNothingIsExecuted(String rule) {
        try (IdempotencyStore store = storeWithout(rule)) {
            assertForbidden(() -> store.acquire(request(record)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+get", "+mget", "+smembers"})
    void withoutAPermissionToReadNoStoryIsTold(String rule) {
        try (IdempotencyStore store = storeWithout(rule)) {
            assertForbidden(() -> {
                store.announce(record.scope());
                store.inspectAll(record.key());
                store.inspect(record);
            });
        }
    }

    @Test
    void withoutAPermissionToReadNothingIsSettled() {
        try (IdempotencyStore store = storeWithout("+get")) {
            assertForbidden(() -> store.complete(lease(store, record), StoredResult.NONE));
        }
    }

    @Test
    void withoutAPermissionToAnnounceScopesThatFails() {
        try (IdempotencyStore store = storeWithout("+sadd")) {
            assertForbidden(() -> store.announce(new Scope("payments")));
            assertThat(store.acquire(request(record))).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void whatServesTheChecksAtStartUpOnlyMayBeMissing() {
        try (RedisIdempotencyStore store = storeWithout("+info")) {
            store.checkServer();
            assertThat(store.acquire(request(record))).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void everyRuleOfTheDocumentedUserIsNeeded() {
        assertThat(DocumentedAcl.rules())
                .containsExactlyInAnyOrder(
                        "on",
                        ">a-password",
                        "~idem:*",
                        "+evalsha",
                        "+eval",
                        "+get",
                        "+set",
                        "+time",
                        "+mget",
                        "+sadd",
                        "+smembers",
                        "+info");
    }

    @Test
    void onAClusterTheUserMustSeeTheNodesToo() {
        List<String> rules = new ArrayList<>(DocumentedAcl.rules());
        try (RunningRedis node = RedisServers.start(ServerOptions.own().with("cluster-enabled", "yes"))) {
            try (RedisClient client = RedisClient.create(node.uri())) {
                client.connect()
                        .sync()
                        .clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
            }
            assertThatThrownBy(() -> onCluster(DocumentedAcl.user(node, rules)))
                    .isInstanceOf(StoreUnavailableException.class);

            rules.addAll(DocumentedAcl.clusterRules());
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(onCluster(DocumentedAcl.user(node, rules)))
                            .isInstanceOf(Claim.Granted.class));
        }
    }

    private Claim onCluster(RedisURI seed) {
        try (IdempotencyStore store =
                new RedisIdempotencyStore(RedisSettings.of(new RedisTopology.Cluster(List.of(seed))))) {
            return store.acquire(request(someRecord()));
        }
    }

    @Test
    void aManagedRedisThatHidesCommandsIsUsed() {
        ServerOptions managed = ServerOptions.own();
        for (String hidden :
                List.of("CONFIG", "INFO", "CLIENT", "SCRIPT", "DEBUG", "ACL", "KEYS", "SCAN", "FLUSHALL")) {
            managed = managed.with("rename-command " + hidden, "");
        }
        AcquireRequest request = request(record);
        try (RunningRedis redis = RedisServers.start(managed);
                RedisIdempotencyStore store =
                        new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(redis.uri())))) {
            store.checkServer();

            assertThat(store.complete(lease(store, record), StoredResult.NONE)).isNotNull();
            assertThat(store.acquire(request)).isInstanceOf(Claim.Replay.class);
        }
    }
}
