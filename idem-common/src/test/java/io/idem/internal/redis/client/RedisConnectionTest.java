package io.idem.internal.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("servers")
class RedisConnectionTest {

    private static final byte[] KEY = {'k'};
    private static final Duration LONG = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);

    /** The look does not depend on a request for health. */
    @Test
    void whoUsesAConnectionLooksAtTheServerOnceAMinute() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                RedisConnection connection =
                        new RedisConnection(RedisSettings.of(RedisURI.create(redis.uri())), nanos::get)) {
            connection.get().join();
            redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThat(connection.refusal()).isEmpty();

            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            connection.get().join();

            await().until(() -> connection.refusal().isPresent());
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            await().until(() -> connection.refusal().isEmpty());
        }
    }

    /** A hosted cluster replaces a node under its name: both nodes announce the same address, which leads to the new one. */
    @Test
    void aNodeOfAClusterThatWasReplacedUnderItsNameIsDialledAgain() {
        try (TcpProxy name = TcpProxy.to("127.0.0.1", 1);
                RunningRedis old = RedisServers.start(clusterNode(name.port()));
                RunningRedis replacement = RedisServers.start(clusterNode(name.port()))) {
            name.leadTo(old.host(), old.port());
            serveAllSlots(old, 1);
            RedisSettings settings = RedisSettings.of(
                    new RedisTopology.Cluster(List.of(RedisURI.create("redis://" + name.host() + ":" + name.port()))));
            try (RedisCaller caller = new RedisCaller(settings)) {
                caller.call("SET", live -> live.async().set(KEY, KEY));

                name.leadTo(replacement.host(), replacement.port());
                serveAllSlots(replacement, 2);
                replacement.command("CLUSTER", "MEET", old.host(), "" + old.port(), clusterPort(old));
                await().atMost(LONG).until(() -> old.info("role").equals("slave"));

                await().atMost(LONG)
                        .ignoreExceptions()
                        .until(() -> caller.call("SET", live -> live.async().set(KEY, KEY)) != null);
                assertThat(replacement.command("EXISTS", "k")).isEqualTo("1");
            }
        }
    }

    private static ServerOptions clusterNode(int announced) {
        return ServerOptions.own().with("cluster-enabled", "yes").with("cluster-announce-port", "" + announced);
    }

    private static void serveAllSlots(RunningRedis node, int epoch) {
        node.command("CLUSTER", "SET-CONFIG-EPOCH", "" + epoch);
        node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        await().until(() -> node.command("CLUSTER", "INFO").contains("cluster_state:ok"));
    }

    private static String clusterPort(RunningRedis node) {
        return node.command("CONFIG", "GET", "cluster-port")
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow();
    }
}
