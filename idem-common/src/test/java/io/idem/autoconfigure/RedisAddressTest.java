package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.idem.internal.spring.InvalidSettingException;
import io.idem.redis.RedisTopology;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class RedisAddressTest {

    private static final Map<String, String> SENTINELS = Map.of(
            "spring.data.redis.username", "app",
            "spring.data.redis.password", "p@ss",
            "spring.data.redis.database", "2",
            "spring.data.redis.sentinel.master", "main",
            "spring.data.redis.sentinel.nodes", "a:1,b:2",
            "spring.data.redis.sentinel.username", "watcher",
            "spring.data.redis.sentinel.password", "secret");

    private static final Map<String, String> CLUSTER =
            Map.of("spring.data.redis.password", "p@ss", "spring.data.redis.cluster.nodes", "a:1,b:2");

    private static RedisTopology plain(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate(PlainRedisAddress.PREFIX, PlainRedisAddress.class)
                .toAddress(null)
                .topology();
    }

    private static RedisTopology besideSpringData(Map<String, String> settings) {
        List<RedisTopology> found = new ArrayList<>();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues(settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toArray(String[]::new))
                .run(context -> found.add(SpringDataRedisAddress.of(context.getBean(DataRedisConnectionDetails.class))
                        .topology()));
        return found.get(0);
    }

    private static RedisTopology topology(boolean springData, Map<String, String> settings) {
        return springData ? besideSpringData(settings) : plain(settings);
    }

    private static String credentials(RedisURI uri) {
        return uri.getCredentialsProvider()
                .resolveCredentials()
                .map(found -> found.getUsername() + ":" + String.valueOf(found.getPassword()))
                .blockOptional()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sentinelsAreFoundWithCredentialsOfTheirOwn(boolean springData) {
        RedisTopology topology = topology(springData, SENTINELS);

        assertThat(topology).isInstanceOf(RedisTopology.Sentinel.class);
        RedisURI uri = topology.uris().get(0);
        assertThat(uri.getSentinelMasterId()).isEqualTo("main");
        assertThat(uri.getDatabase()).isEqualTo(2);
        assertThat(credentials(uri)).isEqualTo("app:p@ss");
        assertThat(uri.getSentinels())
                .extracting(RedisURI::getHost, RedisURI::getPort)
                .containsExactly(tuple("a", 1), tuple("b", 2));
        assertThat(uri.getSentinels()).extracting(RedisAddressTest::credentials).containsOnly("watcher:secret");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theNodesOfAClusterAreFound(boolean springData) {
        RedisTopology topology = topology(springData, CLUSTER);

        assertThat(topology).isInstanceOf(RedisTopology.Cluster.class).hasToString("the cluster of a:1, b:2");
        assertThat(topology.uris()).extracting(RedisAddressTest::credentials).containsOnly("null:p@ss");
    }

    @ParameterizedTest
    @ValueSource(classes = {DataRedisConnectionDetails.class, NoClass.class})
    void aBeanGivesCredentialsWhereSettingsHaveNoPassword(Class<?> hidden) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(hidden))
                .withConfiguration(AutoConfigurations.of(IdemRedisAutoConfiguration.class, IdemAutoConfiguration.class))
                .withPropertyValues("idem.store=redis")
                .withBean(
                        RedisCredentialsProvider.class,
                        () -> RedisCredentialsProvider.from(() -> RedisCredentials.just("idem", "token")));
        for (Map.Entry<String, String> expected : Map.of(
                        "spring.data.redis.port=1", "idem:token",
                        "spring.data.redis.cluster.nodes=localhost:1", "idem:token",
                        "idem.redis.url=redis://localhost:1", "idem:token",
                        "idem.redis.url=redis://own:secret@localhost:1", "own:secret")
                .entrySet()) {
            runner.withPropertyValues(expected.getKey())
                    .run(context -> assertThat(context.getBean(RedisAddress.class)
                                    .topology()
                                    .uris())
                            .extracting(uri -> credentials(RedisURI.builder(uri).build()))
                            .containsOnly(expected.getValue()));
        }
    }

    private interface NoClass {}

    @Test
    void aUrlMayNameSentinels() {
        RedisTopology topology = RedisAddress.ofUrl(
                        "idem.redis.url", "redis-sentinel://p@a:1,b:2/3#main", SslOptions.create())
                .topology();

        assertThat(topology)
                .isInstanceOf(RedisTopology.Sentinel.class)
                .hasToString("the master main of the Sentinels a:1, b:2");
    }

    @Test
    void aUrlOfSentinelsWithoutAMasterIsRefusedWithTheFormThatHasOne() {
        assertThatThrownBy(
                        () -> RedisAddress.ofUrl("idem.redis.url", "redis-sentinel://h:26379/0", SslOptions.create()))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("redis-sentinel://host:26379,host:26379/0#master");
    }

    @Test
    void replicasThatNobodyPromotesAreRefusedWithoutSpringDataToo() {
        assertThatThrownBy(() -> plain(Map.of("spring.data.redis.masterreplica.nodes", "a:1,b:2")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("spring.data.redis.masterreplica");
    }

    @Test
    void sentinelsWithoutAMasterAreRefused() {
        assertThatThrownBy(() -> plain(Map.of("spring.data.redis.sentinel.nodes", "a:1")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("spring.data.redis.sentinel");
        assertThatThrownBy(() -> plain(Map.of("spring.data.redis.cluster.nodes", "")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("spring.data.redis.cluster.nodes");
    }

    @Test
    void aUnixSocketNeedsANativeTransport() {
        assertThatThrownBy(() ->
                        RedisAddress.ofUrl("idem.redis.url", "redis-socket:///run/redis.sock", SslOptions.create()))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContainingAll("idem.redis.url", "netty-transport-native-epoll");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://shop:s3cret#1@localhost:1",
                "redis://shop:s3cret?x@localhost",
                "redis://shop:12#s3cret@localhost",
                "redis://shop:12/s3cret@localhost",
                "redis://s3cret#@localhost",
                "redis://shop:s3cret%zz@localhost",
                "redis://shop:s3cret",
                "redis-sentinel://s3cret?x@a:1/3#main"
            })
    void aPasswordThatIsNotEscapedIsRefusedAndNotRepeated(String url) {
        assertThatThrownBy(() -> RedisAddress.ofUrl("idem.redis.url", url, SslOptions.create()))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContainingAll("idem.redis.url", "%23")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://shop:s3cret%231@localhost:1/2",
                "redis://[::1]:6379",
                "redis://localhost?clientName=shop",
                "rediss://localhost"
            })
    void anAddressWithAnEscapedPasswordIsUsed(String url) {
        assertThat(RedisAddress.ofUrl("idem.redis.url", url, SslOptions.create())
                        .topology())
                .isInstanceOf(RedisTopology.Standalone.class);
    }
}
