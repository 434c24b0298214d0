package io.idem.demo.supervisor;

import io.idem.demo.report.Versions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** Reads the versions of the servers. */
final class ServerVersions {

    private static final String REDIS_VERSION = "redis_version:";

    private ServerVersions() {}

    static Versions ask(Stage stage, Witness witness) {
        return new Versions(
                idem(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                redis(stage.intake().addresses()),
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

    private static String redis(Addresses addresses) {
        try (RedisClient client = RedisClient.create(uri(addresses))) {
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

    private static RedisURI uri(Addresses addresses) {
        Standalone node = addresses.redisNode();
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(node.getHost())
                .withPort(node.getPort())
                .withDatabase(node.getDatabase());
        String password = addresses.redis().getPassword();
        if (password == null) {
            return uri.build();
        }
        String username = addresses.redis().getUsername();
        return username == null
                ? uri.withPassword(password.toCharArray()).build()
                : uri.withAuthentication(username, password.toCharArray()).build();
    }
}
