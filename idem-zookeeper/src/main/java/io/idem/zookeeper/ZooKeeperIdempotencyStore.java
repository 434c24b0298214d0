package io.idem.zookeeper;

import static io.idem.zookeeper.ZooKeeperConnection.await;

import io.idem.IdempotencyKey;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.internal.record.Look;
import io.idem.internal.record.Register;
import io.idem.internal.record.RegisterStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on a ZooKeeper ensemble, for few and precious operations: what it has answered survives the loss of any
 * minority of the servers. Thread-safe. Acquires and updates never block; stages complete on the client's thread,
 * or on one of the JVM's after a timeout.
 *
 * <p>Each record is one node. A transition is one write that names the versions of the node and of the one above it
 * that were read, so it takes effect only if nobody wrote or deleted in between. The clock is that of ZooKeeper's
 * leader, which stamps every write: a record holds durations, which count from that stamp. Records count as absent from
 * the end of their retention; {@link ZooKeeperRecordCleaner} deletes them later.
 *
 * <p>Results above {@value #LARGEST_RESULT} bytes, and 1 KiB for what encryption adds, are not kept, see {@link
 * StoredResult#OMITTED}, and a warning says so: a node has at most 1 MiB, and every server keeps all nodes in memory.
 */
public final class ZooKeeperIdempotencyStore extends RegisterStore {

    /** The size of the largest result that is kept, in bytes, as its codec wrote it. */
    public static final int LARGEST_RESULT = 512 * 1024;

    static final int LONGEST_REASON = 16 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperIdempotencyStore.class);
    private static final int ADDED_BY_ENCRYPTION = 1024;

    private final ZooKeeperConnection zookeeper;
    private final LeaderClock clock = new LeaderClock(MonotonicClock.SYSTEM);
    private final boolean comparing;

    /** Creates a store. The connection stays the caller's, who closes it after the store. */
    public ZooKeeperIdempotencyStore(ZooKeeperConnection zookeeper) {
        this(zookeeper, true);
    }

    /** Creates a store that may be a broken one, see {@link ZooKeeperRegister}. */
    ZooKeeperIdempotencyStore(ZooKeeperConnection zookeeper, boolean comparing) {
        super(zookeeper.settings().callTimeout());
        this.zookeeper = zookeeper;
        this.comparing = comparing;
    }

    @Override
    protected Register register() {
        return new ZooKeeperRegister(zookeeper.session(), clock, comparing);
    }

    @Override
    protected RuntimeException failed(String call, Throwable failure) {
        return Failures.ofWrite(call, failure);
    }

    @Override
    protected Look inspected(RecordId record) {
        return await("the inspection of " + record, register().look(record).toCompletableFuture());
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return super.update(
                updates.stream().map(ZooKeeperIdempotencyStore::limited).toList());
    }

    /** Returns a write as far as a node can keep it. */
    private static RecordUpdate limited(RecordUpdate update) {
        RecordId record = update.lease().record();
        if (update instanceof RecordUpdate.Complete complete) {
            StoredResult kept = limited(record, complete.result());
            return new RecordUpdate.Complete(update.lease(), kept, complete.forgetSteps());
        }
        if (update instanceof RecordUpdate.Remember remember) {
            RememberedStep step = remember.step();
            StoredResult kept = limited(record, step.result());
            return new RecordUpdate.Remember(
                    update.lease(), remember.life(), new RememberedStep(step.id(), step.kind(), step.fence(), kept));
        }
        return update instanceof RecordUpdate.Reject reject && reject.reason().length() > LONGEST_REASON
                ? new RecordUpdate.Reject(update.lease(), reject.reason().substring(0, LONGEST_REASON))
                : update;
    }

    /** Returns the result as far as a node can keep it. */
    private static StoredResult limited(RecordId record, StoredResult result) {
        if (result.size() <= LARGEST_RESULT + ADDED_BY_ENCRYPTION) {
            return result;
        }
        LOG.warn(
                "The result of {} has {} bytes, and a record in ZooKeeper keeps {}: its work counts as done and duplicates are answered"
                        + " without it. Limit results to that size, or offload larger ones",
                record,
                result.size(),
                LARGEST_RESULT);
        return StoredResult.OMITTED;
    }

    /** Returns an empty value: this store never blocks its callers. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return new KeyReader(zookeeper).read(key);
    }

    @Override
    public void announce(Scope scope) {
        boolean unused = waiting(
                "the announcement of " + scope,
                () -> zookeeper.session().createIfMissing(zookeeper.layout().scope(scope)));
    }

    /** Does nothing: the connection belongs to the caller. */
    @Override
    public void close() {}
}
