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
