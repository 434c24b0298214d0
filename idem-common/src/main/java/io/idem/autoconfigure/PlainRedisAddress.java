package io.idem.autoconfigure;

import io.idem.internal.spring.InvalidSettingException;
import io.idem.redis.RedisTopology;
import io.lettuce.core.SslOptions;
import io.lettuce.core.internal.HostAndPort;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundles;

/**
 * The part of {@code spring.data.redis} that idem reads itself in an application without Spring Data Redis. Not a
 * properties class, since the description of the settings belongs to Spring Boot.
 */
record PlainRedisAddress(
        @Nullable String url,
        @DefaultValue("localhost") String host,
        @DefaultValue("6379") int port,
        @DefaultValue("0") int database,
        @Nullable String username,
        @Nullable String password,
        @Nullable Sentinel sentinel,
        @Nullable Cluster cluster,
        @Nullable MasterReplica masterreplica,
        @DefaultValue Ssl ssl) {

    static final String PREFIX = "spring.data.redis";

    RedisAddress toAddress(@Nullable SslBundles bundles) {
        SslOptions options = BundledSsl.options(PREFIX + ".ssl.bundle", ssl.bundle(), bundles);
        return url != null && sentinel == null && cluster == null
                ? RedisAddress.ofUrl(PREFIX + ".url", url, options)
                : new RedisAddress(topology(), options);
    }

    /** Returns the topology, in the order in which Spring Boot reads the settings. */
    private RedisTopology topology() {
        if (masterreplica != null) {
            throw masterReplica();
        }
        Servers servers = new Servers(username, password, ssl.isEnabled());
        if (sentinel != null) {
            return servers.watchedBy(
                    new Servers(sentinel.username(), sentinel.password(), ssl.isEnabled()),
                    sentinel.master(),
                    addresses("sentinel.nodes", sentinel.nodes()),
                    database);
        }
        return cluster != null
                ? servers.cluster(addresses("cluster.nodes", cluster.nodes()))
                : servers.standalone(host, port, database);
    }

    static InvalidSettingException masterReplica() {
        return new InvalidSettingException(
                PREFIX + ".masterreplica.nodes",
                "names replicas that nobody promotes when their master fails; set idem.redis.url to the master, or use"
                        + " Sentinels or a cluster");
    }

    private static List<HostAndPort> addresses(String property, List<String> nodes) {
        try {
            return nodes.stream().map(HostAndPort::parse).toList();
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSettingException(PREFIX + "." + property, "is not a list of host:port");
        }
    }

    record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {

        boolean isEnabled() {
            return enabled == null ? bundle != null : enabled;
        }
    }

    record Sentinel(
            @DefaultValue("") String master,
            @DefaultValue List<String> nodes,
            @Nullable String username,
            @Nullable String password) {}

    record Cluster(@DefaultValue List<String> nodes) {}

    record MasterReplica(@DefaultValue List<String> nodes) {}
}
