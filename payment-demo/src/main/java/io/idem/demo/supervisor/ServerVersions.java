package io.idem.demo.supervisor;

import io.idem.demo.report.Versions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** Reads the versions of the servers. */
final class ServerVersions {

    private static final String REDIS_VERSION = "redis_version:";

    private ServerVersions() {}

    static Versions ask(Stage stage, Witness witness) {
        return new Versions(
                idem(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                redis(stage.intake().addresses().redis()),
                stage.clients().amqp().product(),
                stage.clients().kafka().version(),
                witness.serverVersion());
    }

    private static String idem() {
        Properties properties = new Properties();
        try (InputStream file = ServerVersions.class.getResourceAsStream("/demo-version.properties")) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException("demo-version.properties cannot be read", e);
        }
        return properties.getProperty("idem.version");
    }

    private static @Nullable String redis(@Nullable DataRedisConnectionDetails redis) {
        if (redis == null) {
            return null;
        }
        try (RedisClient client = RedisClient.create(uri(redis))) {
            return client.connect()
                    .sync()
                    .info("server")
                    .lines()
                    .filter(line -> line.startsWith(REDIS_VERSION))
                    .map(line -> line.substring(REDIS_VERSION.length()).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }

    private static RedisURI uri(DataRedisConnectionDetails redis) {
        Standalone node = Addresses.node(redis);
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(node.getHost())
                .withPort(node.getPort())
                .withDatabase(node.getDatabase());
        String password = redis.getPassword();
        if (password == null) {
            return uri.build();
        }
        String username = redis.getUsername();
        return username == null
                ? uri.withPassword(password.toCharArray()).build()
                : uri.withAuthentication(username, password.toCharArray()).build();
    }
}
