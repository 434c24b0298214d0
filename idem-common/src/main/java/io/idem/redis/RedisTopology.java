package io.idem.redis;

import static io.idem.internal.value.Arguments.require;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.KqueueProvider;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The arrangement and the addresses of the Redis servers that keep the records. Describes only; does not connect.
 * Immutable.
 */
public sealed interface RedisTopology {

    /** Returns the topology that an address names: Sentinels if it has the name of a master, else one server. */
    static RedisTopology of(RedisURI uri) {
        return uri.getSentinelMasterId() == null ? new Standalone(uri) : new Sentinel(uri);
    }

    /**
     * Returns the topology of an address as {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS;
     * Sentinels as {@code redis-sentinel://password@host:port,host:port/database#master}, with the password of the servers:
     * Sentinels get none.
     *
     * @throws IllegalArgumentException if the text is no such address; the message goes on behind the name of a setting and
     *     never repeats the text, which may have a password
     */
    static RedisTopology of(String url) {
        return of(parsed(url));
    }

    private static RedisURI parsed(String url) {
        try {
            RedisURI uri = RedisURI.create(url);
            // Lettuce takes what is before an unescaped #, ? or / of a password for the host.
            require(
                    uri.getSocket() != null
                            || (!url.matches("[^:]+://[^/?#]*[/?#].*@.*")
                                    && (uri.getHost() == null || uri.getHost().matches("[^:]*|\\[.*]"))),
                    "no host");
            return uri;
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "is not a Redis URL such as redis://user:password@localhost:6379/0, rediss:// for TLS,"
                            + " redis-sentinel://host:26379,host:26379/0#master with the name of the master, or"
                            + " redis-socket:///run/redis.sock for a Unix socket; in a password write # as %23, ? as %3F, / as"
                            + " %2F and % as %25");
        }
    }

    /** Returns the addresses that clients are made from. Their options apply to every server found. */
    List<RedisURI> uris();

    /**
     * A single server without failover.
     *
     * @param uri the address, with credentials and database
     */
    record Standalone(RedisURI uri) implements RedisTopology {

        /**
         * Checks that this machine can reach the address.
         *
         * @throws IllegalArgumentException if something is missing; the message says what
         */
        public Standalone {
            boolean nativeTransport =
                    EpollProvider.isAvailable() || KqueueProvider.isAvailable() || IOUringProvider.isAvailable();
            require(
                    uri.getSocket() == null || nativeTransport,
                    "names a Unix socket, and Netty has no native transport here:"
                            + " add io.netty:netty-transport-native-epoll with classifier linux-x86_64 or linux-aarch_64,"
                            + " or on macOS io.netty:netty-transport-native-kqueue");
        }

        @Override
        public List<RedisURI> uris() {
            return List.of(uri);
        }

        @Override
        public String toString() {
            return place(uri);
        }
    }

    /**
     * A master with replicas under the watch of Sentinels, which name the master and promote another one when it fails.
     *
     * @param uri the name of the master, the Sentinels with their credentials, and the credentials and database of the
     *     servers
     */
    record Sentinel(RedisURI uri) implements RedisTopology {

        /**
         * Checks that there are Sentinels to ask.
         *
         * @throws IllegalArgumentException if something is missing; the message says what
         */
        public Sentinel {
            require(
                    uri.getSentinelMasterId() != null
                            && !uri.getSentinelMasterId().isBlank(),
                    "Sentinels need the name of the master that they watch");
            require(!uri.getSentinels().isEmpty(), "No Sentinel is given for the master " + uri.getSentinelMasterId());
        }

        @Override
        public List<RedisURI> uris() {
            return List.of(uri);
        }

        @Override
        public String toString() {
            return "the master " + uri.getSentinelMasterId() + " of the Sentinels " + places(uri.getSentinels());
        }
    }

    /**
     * A Redis Cluster, whose other nodes are found through the given ones.
     *
     * @param seeds some of the nodes, with credentials; those of the first one serve for all nodes found
     */
    record Cluster(List<RedisURI> seeds) implements RedisTopology {

        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if it is empty
         */
        public Cluster {
            seeds = List.copyOf(seeds);
            require(!seeds.isEmpty(), "No node of the cluster is given");
        }

        @Override
        public List<RedisURI> uris() {
            return seeds;
        }

        @Override
        public String toString() {
            return "the cluster of " + places(seeds);
        }
    }

    private static String places(List<RedisURI> uris) {
        return uris.stream().map(RedisTopology::place).collect(Collectors.joining(", "));
    }

    /** Returns host and port, or the file of a Unix socket, fit for logs. */
    private static String place(RedisURI uri) {
        return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
    }
}
