package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Scope;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/** What Spring Boot's Docker Compose support finds out about a service, by its own factories and without an engine. */
@Tag("servers")
class DockerComposeRedisTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class, IdemRedisAutoConfiguration.class, DataRedisAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.host=nowhere.invalid", "idem.redis.retry-budget=100ms");

    /** A service of the image {@code redis} whose port is mapped to that of a real one. */
    private record RedisService(RunningRedis redis) implements RunningService {

        @Override
        public String name() {
            return "cache";
        }

        @Override
        public ImageReference image() {
            return ImageReference.of("redis:8");
        }

        @Override
        public String host() {
            return redis.host();
        }

        @Override
        public ConnectionPorts ports() {
            return new ConnectionPorts() {
                @Override
                public int get(int containerPort) {
                    return redis.port();
                }

                @Override
                public List<Integer> getAll() {
                    return List.of(redis.port());
                }

                @Override
                public List<Integer> getAll(@Nullable String protocol) {
                    return getAll();
                }
            };
        }

        @Override
        public Map<String, String> env() {
            return Map.of();
        }

        @Override
        public Map<String, String> labels() {
            return Map.of();
        }
    }

    private static DataRedisConnectionDetails details(RunningService service) throws ReflectiveOperationException {
        Constructor<DockerComposeConnectionSource> source =
                DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class);
        source.setAccessible(true);
        return (DataRedisConnectionDetails) Objects.requireNonNull(
                new ConnectionDetailsFactories(service.getClass().getClassLoader())
                        .getConnectionDetails(source.newInstance(service, new StandardEnvironment()), true)
                        .get(DataRedisConnectionDetails.class));
    }

    @Test
    void aServiceOfDockerComposeGoesBeforeTheSettings() throws ReflectiveOperationException {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own())) {
            DataRedisConnectionDetails details = details(new RedisService(redis));

            runner.withBean(DataRedisConnectionDetails.class, () -> details).run(context -> {
                assertThat(context).hasNotFailed();
                context.getBean(IdempotencyStore.class).announce(new Scope("payments"));
            });
        }
    }
}
