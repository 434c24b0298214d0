package io.idem.autoconfigure;

import io.idem.internal.spring.InvalidSettingException;
import io.idem.redis.RedisTopology;
import io.lettuce.core.RedisURI;
import io.lettuce.core.internal.HostAndPort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credentials of servers of one kind. Makes the addresses of a topology from hosts and ports. */
record Servers(@Nullable String username, @Nullable String password, boolean tls) {

    RedisTopology standalone(String host, int port, int database) {
        return new RedisTopology.Standalone(
                at(HostAndPort.of(host, port)).withDatabase(database).build());
    }

    RedisTopology cluster(List<HostAndPort> seeds) {
        if (seeds.isEmpty()) {
            throw new InvalidSettingException(PlainRedisAddress.PREFIX + ".cluster.nodes", "names no node");
        }
        return new RedisTopology.Cluster(
                seeds.stream().map(seed -> at(seed).build()).toList());
    }

    RedisTopology watchedBy(Servers sentinels, String master, List<HostAndPort> places, int database) {
        if (master.isBlank() || places.isEmpty()) {
            throw new InvalidSettingException(
                    PlainRedisAddress.PREFIX + ".sentinel",
                    "needs both the name of the master and the nodes to ask for it");
        }
        RedisURI.Builder uri = authenticated(RedisURI.builder())
                .withSentinelMasterId(master)
                .withDatabase(database)
                .withSsl(tls);
        places.forEach(place -> uri.withSentinel(sentinels.at(place).build()));
        return new RedisTopology.Sentinel(uri.build());
    }

    private RedisURI.Builder at(HostAndPort place) {
        return authenticated(RedisURI.builder()
                .withHost(place.getHostText())
                .withPort(place.getPort())
                .withSsl(tls));
    }

    private RedisURI.Builder authenticated(RedisURI.Builder uri) {
        if (password == null) {
            return uri;
        }
        return username == null
                ? uri.withPassword(password.toCharArray())
                : uri.withAuthentication(username, password.toCharArray());
    }
}
