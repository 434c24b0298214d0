package io.idem.zookeeper;

import static io.idem.internal.value.Arguments.require;

import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.internal.record.Look;
import io.idem.internal.record.Register;
import io.idem.internal.record.SeenRecord;
import io.idem.internal.record.StoredRecord;
import io.idem.spi.Stages;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * A node for each record, in one session. The generation of a look is the version of the node above the record, read
 * before it: each deletion of a record changes it.
 *
 * @param comparing whether writes name the versions that were read; false only in the test which shows that this is
 *     needed
 */
record ZooKeeperRegister(Session session, LeaderClock clock, boolean comparing) implements Register {

    private static final int ANY_VERSION = -1;

    /** Leaves room for a reason: a character of a string has three bytes in UTF-8 at most. */
    private static final int MOST_BEFORE_THE_END = Session.LARGEST - 3 * ZooKeeperIdempotencyStore.LONGEST_REASON;

    /**
     * Creates the record. If it exists, the read that was sent along is as fresh as the leader, because the refused
     * creation has gone through the quorum, too.
     */
    @Override
    public CompletableFuture<Written> create(RecordId record, StoredRecord first) {
        String path = session.layout().record(record);
        CompletableFuture<Stat> created = session.create(path, RecordBytes.encode(first));
        CompletableFuture<Optional<Node>> existing = session.find(path);
        return Stages.compose(created, (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(stamped(stat));
            }
            if (Failures.is(failure, Code.NODEEXISTS)) {
                return Stages.map(
                        found(record, OptionalLong.empty(), OptionalInt.of(ANY_VERSION), existing), Written::refused);
            }
            return Failures.isMissing(failure)
                    ? Stages.map(
                            session.createIfMissing(Layout.parentOf(path)), unused -> Written.refused(Look.NOTHING))
                    : Stages.failed(failure);
        });
    }

    private Written stamped(Stat stat) {
        clock.stamped(stat.getMtime());
        return Written.at(stat.getMtime());
    }

    /** Reads a record behind a write of the same session, and so sees all that was answered before. */
    @Override
    public CompletableFuture<Look> look(RecordId record) {
        return read(record, Stages.map(session.time(), now -> {
            clock.stamped(now);
            return OptionalLong.of(now);
        }));
    }

    /** Reads a record without a write: it may be older than the last answer. */
    @Override
    public CompletableFuture<Look> glance(RecordId record) {
        return read(record, CompletableFuture.completedFuture(OptionalLong.empty()));
    }

    private CompletableFuture<Look> read(RecordId record, CompletableFuture<OptionalLong> time) {
        String path = session.layout().record(record);
        CompletableFuture<OptionalInt> parent = session.version(Layout.parentOf(path));
        CompletableFuture<Optional<Node>> node = session.find(path);
        return Stages.compose(time, now -> Stages.compose(parent, generation -> found(record, now, generation, node)));
    }

    /**
     * Where the parent did not exist, there was no record when it was read, whatever the read behind it says. A record
     * counts as absent where there is no estimate of the time.
     */
    private CompletableFuture<Look> found(
            RecordId record, OptionalLong time, OptionalInt parent, CompletableFuture<Optional<Node>> node) {
        return Stages.map(node, read -> {
            SeenRecord found = read.isPresent() && parent.isPresent() ? seen(record, read.get()) : null;
            long now = time.orElseGet(() -> clock.estimate().orElse(Long.MAX_VALUE));
            return new Look(now, time.isPresent(), found, parent.orElse(ANY_VERSION));
        });
    }

    private SeenRecord seen(RecordId record, Node node) {
        clock.seen(node.stat().getMtime());
        return node.record(record);
    }

    @Override
    public CompletableFuture<Written> write(RecordId record, Look look, StoredRecord next) {
        byte[] bytes = RecordBytes.encode(next);
        int most = next.state() == RecordState.PENDING ? MOST_BEFORE_THE_END : Session.LARGEST;
        require(
                bytes.length <= most,
                "The record of " + record + " would take " + bytes.length + " bytes; ZooKeeper keeps at most " + most
                        + ": remember fewer steps, or smaller results");
        SeenRecord found = look.found();
        int version = comparing && found != null ? found.version() : ANY_VERSION;
        int parent = comparing ? look.generation() : ANY_VERSION;
        CompletableFuture<Stat> write = session.write(session.layout().record(record), bytes, version, parent);
        return Stages.handle(write, this::stamped, Failures.instead(Failures::isChanged, Written.refused(null)));
    }
}
