package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.workshop.child.Listeners;
import io.idem.workshop.outside.OldRedis;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Applications that cannot keep the guarantees do not start, and name the setting to change and its value. */
@Tag("servers")
class StartUpRefusalTest {

    private static final World WORLD = World.shared();

    /** Long timeouts, because a Redis that does not answer in time would not cause a refusal. */
    private static final Map<String, String> PATIENT =
            Map.of("idem.lease", "30m", "idem.redis.command-timeout", "2m", "idem.redis.retry-budget", "10m");

    private static OldRedis old;

    @BeforeAll
    static void start() {
        old = new OldRedis();
    }

    @AfterAll
    static void stop() {
        old.close();
    }

    @Test
    void withARedisThatEvictsItExitsWithAnAnalysis() {
        try (RunningRedis evicting = RedisServers.start(ServerOptions.own().with("maxmemory-policy", "allkeys-lru"))) {
            assertRefused(
                    "OnRabbit",
                    Map.of("spring.data.redis.url", evicting.uri()),
                    List.of("maxmemory-policy allkeys-lru", "set maxmemory-policy noeviction"));
        }
    }

    @ParameterizedTest
    @MethodSource
    @Tag("extended")
    void itExitsWithAnAnalysis(String listener, Map<String, String> mistake, List<String> words) {
        assertRefused(listener, mistake, words);
    }

    private static void assertRefused(String listener, Map<String, String> mistake, List<String> words) {
        Map<String, String> settings = new LinkedHashMap<>(WORLD.settings());
        settings.putAll(PATIENT);
        settings.putAll(mistake);
        try (Application application = Application.start(listener, Listeners.class, settings, listener)) {
            assertThat(application.awaitRefusal()).isEqualTo(1);
            assertThat(application.output())
                    .contains("APPLICATION FAILED TO START")
                    .contains(words);
        }
    }

    static Stream<Arguments> itExitsWithAnAnalysis() {
        return Stream.of(
                argumentSet(
                        "a Redis older than 7.0",
                        "OnRabbit",
                        Map.of("spring.data.redis.url", old.uri()),
                        List.of("Redis is version 6.2.14", "upgrade Redis")),
                argumentSet(
                        "RabbitMQ without acknowledgement",
                        "OnRabbit",
                        Map.of("spring.rabbitmq.listener.simple.acknowledge-mode", "none"),
                        List.of("OnRabbit.handle", "acknowledge")),
                argumentSet(
                        "Kafka with automatic commits",
                        "OnKafka",
                        Map.of("spring.kafka.consumer.enable-auto-commit", "true"),
                        List.of("OnKafka.handle", "enable-auto-commit")),
                argumentSet(
                        "one scope for two listeners",
                        "ScopeTwice",
                        Map.of(),
                        List.of("\"mistaken\"", "handle", "handleToo", "Rename")),
                argumentSet(
                        "a final listener method",
                        "FinalMethod",
                        Map.of(),
                        List.of("FinalMethod.handle", "is final", "Remove final")),
                argumentSet(
                        "a private listener method",
                        "PrivateMethod",
                        Map.of(),
                        List.of("PrivateMethod.handle", "is private", "Remove private")));
    }
}
