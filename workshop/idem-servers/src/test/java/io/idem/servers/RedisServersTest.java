package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class RedisServersTest {

    @Test
    void aRedisThatKeepsDataHasItAfterAKillAtTheSameAddress() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own().keepingData())) {
            command(redis, client -> client.set("key", "value"));
            long killed = redis.pid().orElseThrow();
            redis.kill();
            assertThat(redis.pid()).isEmpty();

            redis.start();

            assertThat(redis.pid().orElseThrow()).isNotEqualTo(killed);
            assertThat(command(redis, client -> client.get("key"))).isEqualTo("value");
        }
    }

    @Test
    void anOrdinaryOwnRedisForgetsWhenStopped() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own())) {
            command(redis, client -> client.set("key", "value"));
            redis.stop();
            redis.start();

            assertThat(command(redis, client -> client.exists("key"))).isEqualTo("0");
        }
    }

    @Test
    void settingsReachTheServer() {
        ServerOptions options =
                ServerOptions.own().with("maxmemory-policy", "allkeys-lru").with("requirepass", "open \"sesame\"");
        try (RunningRedis redis = RedisServers.start(options)) {
            assertThat(redis.password()).contains("open \"sesame\"");
            assertThat(command(redis, client -> client.configGet("maxmemory-policy")))
                    .isEqualTo("{maxmemory-policy=allkeys-lru}");
        }
    }

    @Test
    void aFrozenRedisAnswersOnlyWhenThawed() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own())) {
            redis.freeze();
            assertThat(RedisPing.answers(redis.port())).isFalse();
            redis.thaw();
            assertThat(RedisPing.answers(redis.port())).isTrue();
            redis.freeze();
        }
    }

    @Test
    void aClosedRedisIsGone() {
        RunningRedis redis = RedisServers.start(ServerOptions.own());
        ProcessHandle process = ProcessHandle.of(redis.pid().orElseThrow()).orElseThrow();
        redis.close();

        assertThat(process.isAlive()).isFalse();
        assertThat(redis.pid()).isEmpty();
    }

    @Test
    void aGivenAddressIsTakenAsItIsAndLeftAlone() {
        RunningRedis redis = RedisServers.given(environment("redis://user:p%40ss@cache.example:7000/1"))
                .orElseThrow();

        assertThat(redis.host()).isEqualTo("cache.example");
        assertThat(redis.port()).isEqualTo(7000);
        assertThat(redis.password()).contains("p@ss");
        assertThat(redis.origin()).isEqualTo(Origin.GIVEN);
        assertThat(redis.toString()).isEqualTo("Redis at cache.example:7000 (given)");
        assertThatThrownBy(redis::stop).isInstanceOf(UnsupportedOperationException.class);
        redis.close();
    }

    @Test
    void anAddressThatIsNoneIsRefusedWithoutRepeatingIt() {
        Environment environment = environment("http://user:secret@cache.example");

        assertThatThrownBy(() -> RedisServers.given(environment))
                .hasMessageContaining("IDEM_SERVERS_REDIS_URI")
                .hasMessageNotContaining("secret");
    }

    @Test
    void versionsAreReadFromWhatTheProgramSays() {
        RedisVersion version = RedisVersion.parse("Redis server v=7.2.4 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64");

        assertThat(version).isEqualTo(new RedisVersion(7, 2));
        assertThat(version.atLeast(7, 0)).isTrue();
        assertThat(new RedisVersion(6, 9).atLeast(7, 0)).isFalse();
        assertThat(new RedisVersion(8, 0).atLeast(7, 2)).isTrue();
        assertThat(RedisVersion.parse("no idea").atLeast(7, 0)).isFalse();
    }

    private static Environment environment(String uri) {
        return new Environment(name ->
                Optional.ofNullable(Map.of("IDEM_SERVERS_REDIS_URI", uri).get(name)));
    }

    private static String command(RunningRedis redis, Function<RedisCommands<String, String>, Object> work) {
        try (RedisClient client = RedisClient.create(redis.uri())) {
            return String.valueOf(work.apply(client.connect().sync()));
        }
    }
}
