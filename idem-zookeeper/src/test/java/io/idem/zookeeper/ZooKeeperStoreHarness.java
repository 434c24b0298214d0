package io.idem.zookeeper;

import io.idem.RecordId;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StoreHarness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;

/**
 * A root of its own in a ZooKeeper. Lets time pass by rewriting the moments in every record. Closing empties it;
 * {@link #stop()} ends the session.
 */
final class ZooKeeperStoreHarness implements StoreHarness {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ZooKeeperConnection zookeeper =
            connection(SharedServers.zooKeeper().connectString());
    private final ZooKeeperIdempotencyStore store = new ZooKeeperIdempotencyStore(zookeeper);

    /** Returns a connection with a new root and generous limits. */
    static ZooKeeperConnection connection(String servers) {
        return connection(servers, "/test-" + UUID.randomUUID());
    }

    static ZooKeeperConnection connection(String servers, String root) {
        return new ZooKeeperConnection(new ZooKeeperSettings(servers, root, PATIENCE, PATIENCE, Optional.empty()));
    }

    ZooKeeperConnection connection() {
        return zookeeper;
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }

    ZooKeeperIdempotencyStore zookeeper() {
        return store;
    }

    @Override
    public void advance(Duration by) {
        for (String name : names()) {
            Node node = read(name).orElseThrow();
            SeenRecord found = node.record().orElseThrow();
            write(name, RecordBytes.encode(aged(found, by.toMillis())));
        }
    }

    private static StoredRecord aged(SeenRecord found, long by) {
        StoredRecord stored = found.stored();
        return new StoredRecord(
                stored.state(),
                stored.attempts(),
                StoredFence.exactly(found.fence()),
                Moment.at(found.at() - by),
                Moment.at(found.keptUntil() - by),
                stored.owner(),
                stored.fingerprint(),
                stored.result(),
                stored.reason(),
                stored.steps());
    }

    /** Returns the names of the nodes of all records. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (String shard : zookeeper.await("a test", Shards::all)) {
            names.addAll(zookeeper.await("a test", session -> Shards.names(session, shard)));
        }
        return names;
    }

    Optional<Node> read(String name) {
        return zookeeper
                .await("a test", session -> NodeReads.all(session, List.of(name)))
                .get(0);
    }

    void write(String name, byte[] bytes) {
        var unused = zookeeper.await(
                "a test", session -> session.write(zookeeper.layout().record(name), bytes, -1));
    }

    @Override
    public String stored(RecordId record) {
        return read(Layout.name(record.key(), record.scope().name()))
                .filter(node -> node.record().isEmpty() || isLive(node))
                .map(node -> HexFormat.of().formatHex(node.data()) + node.stat().getVersion())
                .orElse("");
    }

    private boolean isLive(Node node) {
        long now = zookeeper.await("a test", Session::time);
        return node.record().orElseThrow().keptUntil() > now;
    }

    /** Removes all nodes for the next test. */
    @Override
    public void close() {
        try (ZooKeeper client = new ZooKeeper(
                SharedServers.zooKeeper().connectString(), Math.toIntExact(PATIENCE.toMillis()), event -> {})) {
            ZKUtil.deleteRecursive(client, zookeeper.layout().root());
        } catch (KeeperException.NoNodeException nothing) {
            // Nothing was written.
        } catch (Exception broken) {
            throw new IllegalStateException("The nodes of the test could not be removed", broken);
        }
    }

    /** Closes the connection and ends its session. */
    void stop() {
        zookeeper.close();
    }
}
