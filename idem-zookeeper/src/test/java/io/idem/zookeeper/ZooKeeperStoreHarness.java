package io.idem.zookeeper;

import io.idem.RecordId;
import io.idem.internal.record.Moment;
import io.idem.internal.record.SeenRecord;
import io.idem.internal.record.StoredFence;
import io.idem.internal.record.StoredRecord;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StoreHarness;
import java.io.IOException;
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
    private static final int AT_ONCE = 200;

    private final ZooKeeperConnection zookeeper =
            connection(SharedServers.zooKeeper().connectString());
    private final ZooKeeperIdempotencyStore store = new ZooKeeperIdempotencyStore(zookeeper);
    private Optional<ZooKeeper> cleaner = Optional.empty();

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
        Session session = zookeeper.session();
        List<String> names = new ArrayList<>();
        for (String shard : ZooKeeperConnection.await(
                "a test", session.children(zookeeper.layout().records()))) {
            names.addAll(ZooKeeperConnection.await("a test", session.records(shard)));
        }
        return names;
    }

    Optional<Node> read(String name) {
        return ZooKeeperConnection.await(
                "a test", zookeeper.session().find(zookeeper.layout().record(name)));
    }

    void write(String name, byte[] bytes) {
        var unused = ZooKeeperConnection.await(
                "a test", zookeeper.session().write(zookeeper.layout().record(name), bytes, -1));
    }

    @Override
    public String stored(RecordId record) {
        return read(Layout.name(record.key(), record.scope().name()))
                .filter(node -> node.record().isEmpty() || isLive(node))
                .map(node -> HexFormat.of().formatHex(node.data()) + node.stat().getVersion())
                .orElse("");
    }

    private boolean isLive(Node node) {
        long now = ZooKeeperConnection.await("a test", zookeeper.session().time());
        return node.record().orElseThrow().keptUntil() > now;
    }

    /** Removes all nodes for the next test, in a session that one test after the other uses while it lasts. */
    @Override
    public void close() {
        try {
            if (!removed()) {
                forgetSession();
                if (!removed()) {
                    throw new IllegalStateException("Nodes of the test are left");
                }
            }
        } catch (KeeperException | IOException | InterruptedException broken) {
            throw new IllegalStateException("The nodes of the test could not be removed", broken);
        }
    }

    /** Returns false if the session has ended, as after a pause of the machine, or if nodes are left. */
    private boolean removed() throws KeeperException, IOException, InterruptedException {
        if (cleaner.isEmpty()) {
            cleaner = Optional.of(new ZooKeeper(
                    SharedServers.zooKeeper().connectString(), Math.toIntExact(PATIENCE.toMillis()), event -> {}));
        }
        try {
            return ZKUtil.deleteRecursive(cleaner.get(), zookeeper.layout().root(), AT_ONCE);
        } catch (KeeperException.NoNodeException nothing) {
            return true;
        } catch (KeeperException.SessionExpiredException | KeeperException.ConnectionLossException ended) {
            return false;
        }
    }

    private void forgetSession() throws InterruptedException {
        if (cleaner.isPresent()) {
            cleaner.get().close();
            cleaner = Optional.empty();
        }
    }

    /** Closes the connections and ends their sessions. */
    void stop() {
        zookeeper.close();
        try {
            forgetSession();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
