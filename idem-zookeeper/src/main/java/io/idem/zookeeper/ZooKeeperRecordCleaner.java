package io.idem.zookeeper;

import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Deletes records whose retention has ended. Since they count as absent already, this only frees memory and may run
 * seldom or late. Reads every record, a few hundred in one round trip. Thread-safe; blocks.
 */
public final class ZooKeeperRecordCleaner {

    /**
     * The time for which an expired record stays. A node that is deleted and made again has the versions of the old one
     * once more: a write that was sent for the old one must have arrived or failed by then, which the session timeout
     * ensures.
     */
    static final Duration MARGIN = Duration.ofMinutes(10);

    private static final int BATCH = 200;
    private static final String CALL = "the deletion of expired records";

    private final ZooKeeperConnection zookeeper;

    /** Creates a cleaner. The connection stays the caller's. */
    public ZooKeeperRecordCleaner(ZooKeeperConnection zookeeper) {
        this.zookeeper = zookeeper;
    }

    /**
     * Deletes expired records, unless any instance began to do so a short time ago. Blocks until done.
     *
     * @param notWithin the time after such a beginning in which this call does nothing; zero to delete in any case
     * @return the number of records deleted
     * @throws io.idem.StoreUnavailableException if ZooKeeper does not answer
     */
    public long clean(Duration notWithin) {
        if (!zookeeper.await(CALL, () -> begin(notWithin))) {
            return 0;
        }
        long deleted = 0;
        for (String shard : zookeeper.await(CALL, () -> Shards.all(zookeeper))) {
            deleted += clean(shard);
        }
        return deleted;
    }

    /** Returns whether this call is the one that cleans: its write found the note of the last beginning unchanged. */
    private CompletableFuture<Boolean> begin(Duration notWithin) {
        String note = zookeeper.layout().cleaning();
        return Stages.compose(
                zookeeper.ensure(note),
                created -> Stages.compose(
                        zookeeper.time(),
                        now -> Stages.compose(zookeeper.read(note), last -> begin(note, last, now, notWithin))));
    }

    private CompletableFuture<Boolean> begin(String note, Node last, long now, Duration notWithin) {
        boolean written = last.stat().getVersion() > 0;
        if (written && now - last.stat().getMtime() < notWithin.toMillis()) {
            return CompletableFuture.completedFuture(false);
        }
        return Stages.compose(zookeeper.write(note, new byte[0], last.stat().getVersion()), (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(true);
            }
            return Failures.is(failure, Code.BADVERSION)
                    ? CompletableFuture.completedFuture(false)
                    : Stages.failed(failure);
        });
    }

    private long clean(String shard) {
        long now = zookeeper.await(CALL, zookeeper::time);
        List<String> names = zookeeper.await(CALL, () -> Shards.names(zookeeper, shard));
        long deleted = 0;
        for (int from = 0; from < names.size(); from += BATCH) {
            List<String> some = names.subList(from, Math.min(names.size(), from + BATCH));
            deleted += zookeeper.await(CALL, () -> clean(some, now));
        }
        return deleted;
    }

    private CompletableFuture<Long> clean(List<String> names, long now) {
        return Stages.compose(NodeReads.all(zookeeper, names), nodes -> {
            List<CompletableFuture<Boolean>> deletions = new ArrayList<>();
            for (int i = 0; i < nodes.size(); i++) {
                String path = zookeeper.layout().record(names.get(i));
                expired(nodes.get(i), now).ifPresent(old -> deletions.add(zookeeper.delete(path, old.version())));
            }
            return Stages.map(
                    CompletableFuture.allOf(deletions.toArray(CompletableFuture<?>[]::new)),
                    unused -> deletions.stream().filter(CompletableFuture::join).count());
        });
    }

    private static Optional<SeenRecord> expired(Optional<Node> node, long now) {
        return node.flatMap(Node::record).filter(record -> record.keptUntil() + MARGIN.toMillis() <= now);
    }
}
