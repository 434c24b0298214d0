package io.idem.cli;

import io.idem.GuardAction;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.ServerGuards;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.StaticCredentialsProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options for the address of Redis and its login. Passwords come from the environment or a prompt, never from an
 * argument, which every user of the machine could read.
 */
final class RedisOptions {

    static final String URL = "IDEM_REDIS_URL";
    static final String USERNAME = "IDEM_REDIS_USERNAME";
    static final String PASSWORD = "IDEM_REDIS_PASSWORD";
    static final String SENTINEL_PASSWORD = "IDEM_REDIS_SENTINEL_PASSWORD";

    private static final String DEFAULT_URL = "redis://127.0.0.1:6379";
    private static final ServerGuards UNGUARDED = new ServerGuards(GuardAction.OFF, GuardAction.OFF, GuardAction.OFF);

    @Option(
            names = "--redis",
            paramLabel = "URL",
            description = {
                "redis://host:port, rediss://... for TLS, or redis-sentinel://...#master;",
                "without a password. Default: the variable IDEM_REDIS_URL, or " + DEFAULT_URL
            })
    private @Nullable String url;

    @Option(names = "--cluster", description = "The address is a node of a Redis Cluster.")
    private boolean cluster;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = RedisSettings.DEFAULT_NAMESPACE,
            description = "First part of every key. Default: ${DEFAULT-VALUE}")
    private String namespace = RedisSettings.DEFAULT_NAMESPACE;

    @Option(
            names = "--password",
            interactive = true,
            arity = "0",
            description = "Asks for the password. Default: the variable IDEM_REDIS_PASSWORD")
    private char @Nullable [] password;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file of the CAs to trust. Default: those of the JDK")
    private @Nullable Path ca;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description = "How long one command may take. Default: ${DEFAULT-VALUE}")
    private Duration timeout = Duration.ofSeconds(5);

    /**
     * Returns the connection settings of these options.
     *
     * @throws IllegalArgumentException if something cannot be used
     */
    RedisSettings settings(Map<String, String> environment) {
        RedisTopology named = address(environment);
        return new RedisSettings(
                cluster ? new RedisTopology.Cluster(named.uris()) : named,
                ssl(),
                timeout,
                RedisSettings.DEFAULT_REQUEST_QUEUE_SIZE,
                UNGUARDED,
                namespace,
                ReplicationSettings.NONE);
    }

    private RedisTopology address(Map<String, String> environment) {
        RedisTopology topology = topology(environment);
        RedisURI uri = topology.uris().get(0);
        RedisCredentials given = Objects.requireNonNull(
                uri.getCredentialsProvider().resolveCredentials().block());
        if (url != null && given.hasPassword()) {
            throw new IllegalArgumentException(
                    "--redis has a password, which everybody on this machine can read. Put it into " + PASSWORD
                            + ", or let --password ask for it");
        }
        char[] secret = secret(environment);
        if (secret.length > 0) {
            String user = environment.getOrDefault(USERNAME, Objects.requireNonNullElse(given.getUsername(), ""));
            uri.setCredentialsProvider(
                    new StaticCredentialsProvider(RedisCredentials.just(user.isEmpty() ? null : user, secret)));
        }
        String ofSentinels = environment.getOrDefault(SENTINEL_PASSWORD, "");
        if (!ofSentinels.isEmpty()) {
            uri.getSentinels().forEach(each -> each.setAuthentication(ofSentinels));
        }
        return topology;
    }

    private RedisTopology topology(Map<String, String> environment) {
        try {
            return RedisTopology.of(url == null ? environment.getOrDefault(URL, DEFAULT_URL) : url);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException((url == null ? URL : "--redis") + " " + invalid.getMessage());
        }
    }

    private char[] secret(Map<String, String> environment) {
        return password == null ? environment.getOrDefault(PASSWORD, "").toCharArray() : password;
    }

    private SslOptions ssl() {
        return ca == null
                ? SslOptions.create()
                : SslOptions.builder().trustManager(ca.toFile()).build();
    }
}
