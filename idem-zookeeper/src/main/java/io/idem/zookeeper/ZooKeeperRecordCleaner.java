package io.idem.zookeeper;

import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Deletes records whose retention has ended. Since they count as absent already, this only frees memory and may run
 * seldom or late. Reads every record, a few in one round trip. Thread-safe; blocks.
 *
 * <p>A node that is deleted and made again has the versions of the old one once more. Each deletion therefore also
 * writes the node above, whose version all writes and deletions name: those which build on what they saw before are
 * refused.
 */
public final class ZooKeeperRecordCleaner {

    /**
     * The time for which an expired record stays. A leader whose clock is ahead by less deletes no record that still
     * counts under the next leader.
     */
    static final Duration MARGIN = Duration.ofMinutes(10);

    private final ZooKeeperConnection zookeeper;

    /** Creates a cleaner. The connection stays the caller's. */
    public ZooKeeperRecordCleaner(ZooKeeperConnection zookeeper) {
        this.zookeeper = zookeeper;
    }

    /**
     * Deletes expired records, unless any instance began to do so a short time ago. Blocks until done. Goes on after a
     * failure, until several parts of the records in a row have failed; takes the parts in a random order, so that the
     * next call begins with others.
     *
     * @param notWithin the time after such a beginning in which this call does nothing; zero to delete in any case
     * @return the number of records deleted
     * @throws io.idem.StoreUnavailableException if ZooKeeper did not answer for some of the records; others may have
     *     been deleted
     */
    public long clean(Duration notWithin) {
        Session session = zookeeper.session();
        if (!ZooKeeperConnection.await(CleaningRun.CALL, session, same -> begin(same, notWithin))) {
            return 0;
        }
        List<String> shards = new ArrayList<>(ZooKeeperConnection.await(CleaningRun.CALL, session, Shards::all));
        Collections.shuffle(shards);
        return new CleaningRun(zookeeper).clean(shards);
    }

    /** Returns whether this call is the one that cleans: its write found the note of the last beginning unchanged. */
    private static CompletableFuture<Boolean> begin(Session session, Duration notWithin) {
        String note = session.layout().cleaning();
        return Stages.compose(
                session.createIfMissing(note),
                created -> Stages.compose(
                        session.time(),
                        now -> Stages.compose(session.read(note), last -> begin(session, note, last, now, notWithin))));
    }

    private static CompletableFuture<Boolean> begin(
            Session session, String note, Node last, long now, Duration notWithin) {
        boolean written = last.stat().getVersion() > 0;
        if (written && now - last.stat().getMtime() < notWithin.toMillis()) {
            return CompletableFuture.completedFuture(false);
        }
        return Stages.handle(
                session.write(note, new byte[0], last.stat().getVersion()),
                stat -> true,
                Failures.instead(failure -> Failures.is(failure, Code.BADVERSION), false));
    }
}
