package io.idem.autoconfigure;

import io.idem.redis.RedisTopology;
import io.lettuce.core.internal.HostAndPort;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** Translates Spring Boot's connection details of the application's Redis, from settings or from a container. */
final class SpringDataRedisAddress {

    private SpringDataRedisAddress() {}

    static RedisAddress of(DataRedisConnectionDetails details) {
        return new RedisAddress(topology(details), BundledSsl.options(details.getSslBundle()));
    }

    private static RedisTopology topology(DataRedisConnectionDetails details) {
        if (details.getMasterReplica() != null) {
            throw PlainRedisAddress.masterReplica();
        }
        Servers servers = new Servers(details.getUsername(), details.getPassword(), details.getSslBundle() != null);
        if (details.getSentinel() != null) {
            return sentinel(details.getSentinel(), servers);
        }
        if (details.getCluster() != null) {
            return servers.cluster(addresses(details.getCluster().getNodes()));
        }
        Standalone server = Objects.requireNonNull(details.getStandalone(), "Spring Boot names no Redis at all");
        return servers.standalone(server.getHost(), server.getPort(), server.getDatabase());
    }

    private static RedisTopology sentinel(Sentinel sentinels, Servers servers) {
        return servers.watchedBy(
                new Servers(sentinels.getUsername(), sentinels.getPassword(), servers.tls()),
                sentinels.getMaster(),
                addresses(sentinels.getNodes()),
                sentinels.getDatabase());
    }

    private static List<HostAndPort> addresses(List<Node> nodes) {
        return nodes.stream()
                .map(node -> HostAndPort.of(node.host(), node.port()))
                .toList();
    }
}
