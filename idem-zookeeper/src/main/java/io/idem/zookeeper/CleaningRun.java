package io.idem.zookeeper;

import static io.idem.zookeeper.ZooKeeperConnection.await;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.internal.record.SeenRecord;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the shards. Goes on with the next shard after a failure, until too many in a row have failed. Not
 * thread-safe.
 */
final class CleaningRun {

    static final String CALL = "the deletion of expired records";

    private static final Logger LOG = LoggerFactory.getLogger(CleaningRun.class);

    /** Few, because each may have 1 MB, and calls that somebody waits for share the session. */
    private static final int BATCH = 8;

    private static final int MOST_FAILURES_IN_A_ROW = 5;

    private final ZooKeeperConnection zookeeper;
    private long deleted;
    private int failuresInARow;
    private final List<RuntimeException> failures = new ArrayList<>();

    CleaningRun(ZooKeeperConnection zookeeper) {
        this.zookeeper = zookeeper;
    }

    /**
     * Cleans the shards in this order.
     *
     * @return the number of records deleted
     * @throws StoreUnavailableException at the end, if a shard could not be cleaned
     */
    long clean(List<String> shards) {
        for (String shard : shards) {
            if (failuresInARow == MOST_FAILURES_IN_A_ROW) {
                break;
            }
            try {
                clean(shard);
                failuresInARow = 0;
            } catch (RuntimeException failure) {
                failures.add(failure);
                failuresInARow++;
            }
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            throw new StoreUnavailableException(
                    failures.size() + " of " + shards.size()
                            + " parts of the records could not be cleaned, the first because: "
                            + first.getMessage() + ". " + deleted + " expired records were deleted",
                    Execution.NOT_EXECUTED,
                    first);
        }
        return deleted;
    }

    private void clean(String shard) {
        Session session = zookeeper.session();
        long now = await(CALL, session.time());
        List<String> names = await(CALL, session.records(shard));
        for (int from = 0; from < names.size(); from += BATCH) {
            List<String> some = names.subList(from, Math.min(names.size(), from + BATCH));
            deleted += delete(expired(session, shard, some, now));
        }
    }

    /** Reads records of a shard, and returns those that expired long enough before {@code now}. */
    Expired expired(Session session, String shard, List<String> names, long now) {
        String parent = session.layout().shard(shard);
        CompletableFuture<OptionalInt> version = session.version(parent);
        List<CompletableFuture<Optional<Node>>> reads =
                names.stream().map(name -> readable(session, name)).toList();
        Map<String, Integer> versions = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String path = session.layout().record(names.get(i));
            expired(await(CALL, reads.get(i)), now).ifPresent(old -> versions.put(path, old.version()));
        }
        return new Expired(session, parent, await(CALL, version).orElse(0), versions);
    }

    private static CompletableFuture<Optional<Node>> readable(Session session, String name) {
        return Stages.handle(session.find(session.layout().record(name)), node -> node, failure -> {
            if (!Failures.is(failure, Code.NOAUTH)) {
                throw failure;
            }
            LOG.warn("The node {} may not be read and is not cleaned; give this user all rights to it", name);
            return Optional.empty();
        });
    }

    private static Optional<SeenRecord> expired(Optional<Node> node, long now) {
        return node.flatMap(Node::record)
                .filter(record -> record.keptUntil() + ZooKeeperRecordCleaner.MARGIN.toMillis() <= now);
    }

    /**
     * Deletes all of them that have no children, or none if one of them was written or another was deleted since: then
     * in the next run.
     */
    long delete(Expired expired) {
        if (expired.versions().isEmpty()) {
            return 0;
        }
        try {
            boolean done =
                    await(CALL, expired.session().delete(expired.versions(), expired.parent(), expired.version()));
            return done ? expired.versions().size() : 0;
        } catch (StoreUnavailableException refused) {
            if (!Failures.is(refused.getCause(), Code.NOTEMPTY)) {
                throw refused;
            }
            return deleteEach(expired);
        }
    }

    /** Deletes all that have no children. Each deletion raises the version of the parent by one. */
    private long deleteEach(Expired expired) {
        if (expired.versions().size() == 1) {
            LOG.warn(
                    "The record {} has children and is not cleaned; delete them",
                    expired.versions().keySet());
            return 0;
        }
        long done = 0;
        for (Map.Entry<String, Integer> record : expired.versions().entrySet()) {
            done += delete(new Expired(
                    expired.session(),
                    expired.parent(),
                    expired.version() + (int) done,
                    Map.of(record.getKey(), record.getValue())));
        }
        return done;
    }

    /**
     * Expired records as one session saw them.
     *
     * @param version that of the parent, read before them
     * @param versions those of the records, by their paths
     */
    record Expired(Session session, String parent, int version, Map<String, Integer> versions) {}
}
