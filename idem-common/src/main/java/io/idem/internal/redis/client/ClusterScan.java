package io.idem.internal.redis.client;

import io.idem.spi.RecordLister;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
        List<String> masters = masters();
        Matcher named = CURSOR.matcher(cursor);
        String from = named.matches() ? named.group(1) : "";
        String node = masters.stream()
                .filter(id -> id.compareTo(from) >= 0)
                .findFirst()
                .orElse("");
        if (node.isEmpty()) {
            return CompletableFuture.completedFuture(new ScanPart(List.of(), RecordLister.START));
        }
        String within = node.equals(from) ? named.group(2) : RecordLister.START;
        return connection
                .getConnectionAsync(node)
                .thenCompose(server -> server.async().scan(ScanCursor.of(within), args))
                .thenApply(found -> ScanPart.of(found, node + ":", after(node, masters)));
    }

    private static String after(String node, List<String> masters) {
        return masters.stream()
                .filter(id -> id.compareTo(node) > 0)
                .findFirst()
                .map(id -> id + ":" + RecordLister.START)
                .orElse(RecordLister.START);
    }

    private List<String> masters() {
        return connection.getPartitions().stream()
                .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
                .map(RedisClusterNode::getNodeId)
                .sorted()
                .toList();
    }
}
