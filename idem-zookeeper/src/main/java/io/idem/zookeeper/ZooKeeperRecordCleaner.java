package io.idem.zookeeper;

import static io.idem.zookeeper.ZooKeeperConnection.await;

import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Deletes records whose retention has ended. Since they count as absent already, this only frees memory and may run
 * seldom or late. Reads every record, a few in one round trip. Thread-safe; blocks.
 *
 * <p>A node that is deleted and made again has the versions of the old one once more. Each deletion therefore also
 * writes the node above, whose version all writes and deletions name: those which build on what they saw before are
 * refused.
 *
 * @param zookeeper the connection, which stays the caller's
 */
public record ZooKeeperRecordCleaner(ZooKeeperConnection zookeeper) {

    /**
     * The time for which an expired record stays. A leader whose clock is ahead by less deletes no record that still
     * counts under the next leader.
     */
    static final Duration MARGIN = Duration.ofMinutes(10);

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
        if (!begins(session, notWithin)) {
            return 0;
        }
        List<String> shards = new ArrayList<>(
                await(CleaningRun.CALL, session.children(session.layout().records())));
        Collections.shuffle(shards);
        return new CleaningRun(zookeeper).clean(shards);
    }

    /** Returns whether this call is the one that cleans: its write found the note of the last beginning unchanged. */
    private static boolean begins(Session session, Duration notWithin) {
        String note = session.layout().cleaning();
        boolean unused = await(CleaningRun.CALL, session.createIfMissing(note));
        long now = await(CleaningRun.CALL, session.time());
        Stat last = await(CleaningRun.CALL, session.read(note)).stat();
        if (last.getVersion() > 0 && now - last.getMtime() < notWithin.toMillis()) {
            return false;
        }
        CompletableFuture<Boolean> written = Stages.handle(
                session.write(note, new byte[0], last.getVersion()),
                stat -> true,
                Failures.instead(failure -> Failures.is(failure, Code.BADVERSION), false));
        return await(CleaningRun.CALL, written);
    }
}
