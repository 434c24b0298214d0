package io.idem.internal.redis.client;

import io.idem.spi.RecordLister;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SCAN over the masters of a cluster, one after the other in the order of their ids. The cursor contains the node, so
 * that no state is kept between calls; if the node has left the cluster, the next one is scanned.
 *
 * @param connection the connection to the cluster
 */
public record ClusterScan(StatefulRedisClusterConnection<byte[], byte[]> connection) {

    private static final Pattern CURSOR = Pattern.compile("([0-9a-f]{40}):(\\d{1,20})");

    /** Returns whether a cursor belongs to a cluster. */
    public static boolean understands(String cursor) {
        return cursor.equals(RecordLister.START) || CURSOR.matcher(cursor).matches();
    }

    CompletionStage<ScanPart> scan(String cursor, ScanArgs args) {
        Matcher named = CURSOR.matcher(cursor);
        String from = named.matches() ? named.group(1) : "";
        Optional<String> node = first(id -> id.compareTo(from) >= 0);
        if (node.isEmpty()) {
            return CompletableFuture.completedFuture(new ScanPart(List.of(), RecordLister.START));
        }
        String within = node.get().equals(from) ? named.group(2) : RecordLister.START;
        String after = first(id -> id.compareTo(node.get()) > 0)
                .map(id -> id + ":" + RecordLister.START)
                .orElse(RecordLister.START);
        return connection
                .getConnectionAsync(node.get())
                .thenCompose(server -> server.async().scan(ScanCursor.of(within), args))
                .thenApply(found -> ScanPart.of(found, node.get() + ":", after));
    }

    /** Returns the first of the masters' ids that match. */
    private Optional<String> first(Predicate<String> which) {
        return connection.getPartitions().stream()
                .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
                .map(RedisClusterNode::getNodeId)
                .filter(which)
                .min(Comparator.naturalOrder());
    }
}
