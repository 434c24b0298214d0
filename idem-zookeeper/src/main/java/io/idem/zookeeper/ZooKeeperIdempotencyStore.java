package io.idem.zookeeper;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.SettledRecords;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
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
public final class ZooKeeperIdempotencyStore implements IdempotencyStore, SettledRecords {

    /** The size of the largest result that is kept, in bytes, as its codec wrote it. */
    public static final int LARGEST_RESULT = 512 * 1024;

    static final int LONGEST_REASON = 16 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperIdempotencyStore.class);
    private static final int ADDED_BY_ENCRYPTION = 1024;
    private static final int MOST_CHANGES = 100;
    private static final int ANY_VERSION = -1;

    private final ZooKeeperConnection zookeeper;
    private final Layout layout;
    private final LeaderClock clock = new LeaderClock(MonotonicClock.SYSTEM);
    private final boolean comparing;

    /** Creates a store. The connection stays the caller's, who closes it after the store. */
    public ZooKeeperIdempotencyStore(ZooKeeperConnection zookeeper) {
        this(zookeeper, true);
    }

    /**
     * Creates a store that may be a broken one.
     *
     * @param comparing whether writes name the version that was read; false only in the test which shows that this is
     *     needed
     */
    ZooKeeperIdempotencyStore(ZooKeeperConnection zookeeper, boolean comparing) {
        this.zookeeper = zookeeper;
        this.layout = zookeeper.layout();
        this.comparing = comparing;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(
                requests,
                AcquireRequest::record,
                distinct -> sent(distinct, request -> "ACQUIRE of " + request.record(), this::claim));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return InOrder.send(
                updates,
                update -> update.lease().record(),
                distinct -> sent(
                        distinct, update -> call(update.name(), update.lease().record()), this::write));
    }

    private static String call(String name, RecordId record) {
        return name + " of " + record;
    }

    private static <Q, A> List<CompletionStage<A>> sent(
            List<Q> requests, Function<Q, String> call, Function<Q, CompletionStage<A>> send) {
        List<CompletionStage<A>> answers = new ArrayList<>(requests.size());
        for (Q request : requests) {
            answers.add(Stages.handle(Stages.started(() -> send.apply(request)), Function.identity(), failure -> {
                throw Failures.ofWrite(call.apply(request), failure);
            }));
        }
        return answers;
    }

    /** Returns an empty value: this store never blocks its callers. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    private CompletableFuture<Claim> claim(AcquireRequest request) {
        return claim(zookeeper.session(), request, 0);
    }

    /**
     * Creates the record. If it exists, the read that was sent along is as fresh as the leader, because the refused
     * creation has gone through the quorum, too.
     */
    private CompletableFuture<Claim> claim(Session session, AcquireRequest request, int changes) {
        if (changes == MOST_CHANGES) {
            return changedTooOften(request.record());
        }
        StoredRecord first = StoredRecord.first(request, 0);
        String path = layout.record(request.record());
        CompletableFuture<Stat> created = session.create(path, RecordBytes.encode(first));
        CompletableFuture<Node> existing = session.read(path);
        return Stages.compose(created, (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(granted(request, first, stat, GrantKind.FRESH));
            }
            if (Failures.is(failure, Code.NODEEXISTS)) {
                return existing(session, request, existing, changes);
            }
            return Failures.is(failure, Code.NONODE)
                    ? Stages.compose(
                            session.createIfMissing(Layout.parentOf(path)),
                            unused -> claim(session, request, changes + 1))
                    : Stages.failed(failure);
        });
    }

    private CompletableFuture<Claim> existing(
            Session session, AcquireRequest request, CompletableFuture<Node> existing, int changes) {
        return Stages.compose(existing, (node, missing) -> {
            if (missing == null) {
                return answer(session, request, seen(request.record(), node), changes);
            }
            return Failures.is(missing, Code.NONODE) ? claim(session, request, changes + 1) : Stages.failed(missing);
        });
    }

    /** Refuses by the estimate of the leader's time where that suffices; otherwise the leader is asked. */
    private CompletableFuture<Claim> answer(Session session, AcquireRequest request, SeenRecord found, int changes) {
        OptionalLong now = clock.estimate();
        if (now.isPresent() && found.keptUntil() > now.getAsLong()) {
            Claim refusal = found.refusalNotBefore(request, now.getAsLong());
            if (refusal != null) {
                return CompletableFuture.completedFuture(refusal);
            }
        }
        return decided(session, request, changes);
    }

    private CompletableFuture<Claim> decided(Session session, AcquireRequest request, int changes) {
        return changes == MOST_CHANGES
                ? changedTooOften(request.record())
                : Stages.compose(readAtTime(session, request.record()), look -> decide(request, look, changes));
    }

    /** Decides on an acquire by what was found, and writes only if that has not changed since. */
    CompletableFuture<Claim> decide(AcquireRequest request, Look look, int changes) {
        SeenRecord found = look.found();
        if (found == null) {
            return claim(look.session(), request, changes + 1);
        }
        if (look.live() == null) {
            return grant(request, look, StoredRecord.first(request, found.fence()), GrantKind.FRESH, changes);
        }
        Claim refusal = found.refusal(request, look.now());
        if (refusal != null) {
            return CompletableFuture.completedFuture(refusal);
        }
        return found.pendingOf(request.owner())
                ? grant(request, look, found.reentered(request), GrantKind.REENTRANT, changes)
                : grant(request, look, found.granted(request), found.nextGrant(), changes);
    }

    private CompletableFuture<Claim> grant(
            AcquireRequest request, Look look, StoredRecord next, GrantKind kind, int changes) {
        return Stages.compose(
                written(request.record(), look, next),
                stat -> stat.isPresent()
                        ? CompletableFuture.completedFuture(granted(request, next, stat.get(), kind))
                        : decided(look.session(), request, changes + 1));
    }

    private Claim granted(AcquireRequest request, StoredRecord written, Stat stat, GrantKind kind) {
        clock.stamped(stat.getMtime());
        Lease lease = new Lease(
                request.record(),
                request.owner(),
                written.fence().of(stat.getMtime()),
                written.attempts(),
                request.lease(),
                request.retention());
        return new Claim.Granted(lease, kind);
    }

    private static <T> CompletableFuture<T> changedTooOften(RecordId record) {
        return Stages.failed(new StoreUnavailableException(
                "The record of " + record + " changed between every read of it and the write",
                Execution.NOT_EXECUTED,
                new IllegalStateException(MOST_CHANGES + " changes")));
    }

    private CompletableFuture<StoreAnswer> write(RecordUpdate update) {
        Session session = zookeeper.session();
        RecordId record = update.lease().record();
        if (update instanceof RecordUpdate.Recall) {
            return Stages.map(readAtTime(session, record), look -> recalled(update.lease(), look.live()));
        }
        OwnersWrite write = OwnersWrite.of(update);
        return Stages.compose(readWithoutTime(session, record), look -> {
            SeenRecord found = look.live();
            return found != null && write.isOwners(found)
                    ? written(write, record, look, 0)
                    : settled(session, write, record, 0);
        });
    }

    private CompletableFuture<StoreAnswer> settled(Session session, OwnersWrite write, RecordId record, int changes) {
        if (changes == MOST_CHANGES) {
            return changedTooOften(record);
        }
        return Stages.compose(readAtTime(session, record), look -> {
            SeenRecord found = look.live();
            return found != null && write.isOwners(found)
                    ? written(write, record, look, changes)
                    : CompletableFuture.completedFuture(write.refused(found));
        });
    }

    private CompletableFuture<StoreAnswer> written(OwnersWrite write, RecordId record, Look look, int changes) {
        StoredRecord next = write.next(look.present());
        return Stages.compose(
                written(record, look, next),
                stat -> stat.isPresent()
                        ? CompletableFuture.completedFuture(new StoreAnswer.Ok(next.result()))
                        : settled(look.session(), write, record, changes + 1));
    }

    private static StoreAnswer recalled(Lease lease, @Nullable SeenRecord found) {
        return found != null && found.ownedBy(lease)
                ? new StoreAnswer.Recalled(found.stored().steps())
                : lost(found);
    }

    static StoreAnswer lost(@Nullable SeenRecord found) {
        return found == null
                ? new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE)
                : new StoreAnswer.Lost(found.state(), found.result());
    }

    /** Returns the result as far as a node can keep it. */
    static StoredResult limited(RecordId record, StoredResult result) {
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

    static String limited(String reason) {
        return reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
    }

    /** Writes a record if it is as it was found; empty if it is not. */
    private CompletableFuture<Optional<Stat>> written(RecordId record, Look look, StoredRecord next) {
        int version = comparing ? look.present().version() : ANY_VERSION;
        int parent = comparing ? look.parent() : ANY_VERSION;
        CompletableFuture<Stat> write =
                look.session().write(layout.record(record), RecordBytes.encode(next), version, parent);
        return Stages.compose(write, (stat, failure) -> {
            if (failure == null) {
                clock.stamped(stat.getMtime());
                return CompletableFuture.completedFuture(Optional.of(stat));
            }
            return Failures.isChanged(failure)
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : Stages.failed(failure);
        });
    }

    /** Reads a record behind a write of the same session, and so sees all that was answered before. */
    CompletableFuture<Look> readAtTime(Session session, RecordId record) {
        CompletableFuture<Long> time = session.time();
        CompletableFuture<OptionalInt> parent = session.version(Layout.parentOf(layout.record(record)));
        CompletableFuture<Node> node = session.read(layout.record(record));
        return Stages.compose(time, now -> {
            clock.stamped(now);
            return Stages.compose(parent, version -> found(session, record, now, version, node));
        });
    }

    /**
     * Reads a record at the estimate of the leader's time, without a write: it may be older than the last answer, and
     * counts as absent where there is no estimate.
     */
    private CompletableFuture<Look> readWithoutTime(Session session, RecordId record) {
        CompletableFuture<OptionalInt> parent = session.version(Layout.parentOf(layout.record(record)));
        CompletableFuture<Node> node = session.read(layout.record(record));
        return Stages.compose(
                parent, version -> found(session, record, clock.estimate().orElse(Long.MAX_VALUE), version, node));
    }

    /** Where the parent did not exist, there was no record when it was read, whatever the read behind it says. */
    private CompletableFuture<Look> found(
            Session session, RecordId record, long now, OptionalInt parent, CompletableFuture<Node> node) {
        return Stages.compose(node, (found, missing) -> {
            if (missing == null && parent.isPresent()) {
                return CompletableFuture.completedFuture(
                        new Look(session, now, parent.getAsInt(), seen(record, found)));
            }
            return missing == null || Failures.is(missing, Code.NONODE)
                    ? CompletableFuture.completedFuture(new Look(session, now, ANY_VERSION, null))
                    : Stages.failed(missing);
        });
    }

    private SeenRecord seen(RecordId record, Node node) {
        clock.seen(node.stat().getMtime());
        return node.record().orElseThrow(() -> node.unreadableAs(record));
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return waiting(
                call("REOPEN", record),
                session -> operatorsWrite(
                        session,
                        record,
                        look -> {
                            SeenRecord found = look.live();
                            boolean inProgress =
                                    found != null && found.state() == RecordState.PENDING && found.at() > look.now();
                            if (found == null || inProgress || found.fence() != expectedFence) {
                                return Decision.answer(lost(found));
                            }
                            return found.reopened() ? Decision.nothing() : Decision.write(found.reopened(retention));
                        },
                        0));
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return waiting(
                call("FORCE", record),
                session -> operatorsWrite(
                        session,
                        record,
                        look -> {
                            SeenRecord found = look.live();
                            if (found != null && found.forced(expectedFence, end)) {
                                return Decision.nothing();
                            }
                            StoredRecord forced = found == null ? null : found.forced(expectedFence, end, retention);
                            return found == null || forced == null
                                    ? Decision.answer(lost(found))
                                    : Decision.write(forced);
                        },
                        0));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return waiting(
                call("ERASE", record),
                session -> operatorsWrite(
                        session,
                        record,
                        look -> {
                            SeenRecord found = look.live();
                            if (found == null || !found.settled()) {
                                return Decision.answer(lost(found));
                            }
                            return found.isErased() ? Decision.nothing() : Decision.write(found.erased());
                        },
                        0));
    }

    private CompletableFuture<StoreAnswer> operatorsWrite(
            Session session, RecordId record, Function<Look, Decision> decide, int changes) {
        if (changes == MOST_CHANGES) {
            return changedTooOften(record);
        }
        return Stages.compose(readAtTime(session, record), look -> {
            Decision decision = decide.apply(look);
            StoredRecord next = decision.next();
            if (next == null) {
                return CompletableFuture.completedFuture(decision.answer());
            }
            return Stages.compose(
                    written(record, look, next),
                    stat -> stat.isPresent()
                            ? CompletableFuture.completedFuture(decision.answer())
                            : operatorsWrite(session, record, decide, changes + 1));
        });
    }

    private <T> T waiting(String call, Function<Session, CompletableFuture<T>> request) {
        return Stages.await(
                Stages.handle(
                        Stages.started(() -> request.apply(zookeeper.session())), Function.identity(), failure -> {
                            throw Failures.ofWrite(call, failure);
                        }),
                zookeeper.callTimeout());
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return live(record).map(found -> found.snapshot(record.scope()));
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return live(record).map(found -> found.stored().steps()).orElse(RememberedSteps.NONE);
    }

    private Optional<SeenRecord> live(RecordId record) {
        return Optional.ofNullable(zookeeper
                .await(call("the inspection", record), session -> readAtTime(session, record))
                .live());
    }

    @Override
    public Optional<Settled> settled(RecordId record) {
        Look look = zookeeper.await(call("the inspection", record), session -> readAtTime(session, record));
        return Optional.ofNullable(look.live())
                .filter(SeenRecord::settled)
                .map(found ->
                        new Settled(found.snapshot(record.scope()), Duration.ofMillis(found.keptUntil() - look.now())));
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return new KeyReader(zookeeper).read(key);
    }

    @Override
    public void announce(Scope scope) {
        boolean unused =
                waiting("the announcement of " + scope, session -> session.createIfMissing(layout.scope(scope)));
    }

    /** Does nothing: the connection belongs to the caller. */
    @Override
    public void close() {}

    /**
     * A record at a time of the leader, as one session saw it.
     *
     * @param parent the version of the node above the record, read before it. Each deletion of a record changes it, so
     *     that both versions together name one state of one node, which the version of the record alone does not: it
     *     begins at 0 again
     * @param found also if its retention is over
     */
    record Look(
            Session session, long now, int parent, @Nullable SeenRecord found) {

        @Nullable SeenRecord live() {
            SeenRecord any = found;
            return any != null && any.keptUntil() > now ? any : null;
        }

        private SeenRecord present() {
            return Objects.requireNonNull(found, "nothing is written where nothing was found");
        }
    }

    /** The decision of an operator's call about the record that it found: an answer, and a write before it if one is needed. */
    private record Decision(StoreAnswer answer, @Nullable StoredRecord next) {

        static Decision answer(StoreAnswer answer) {
            return new Decision(answer, null);
        }

        static Decision nothing() {
            return answer(new StoreAnswer.Ok(StoredResult.NONE));
        }

        static Decision write(StoredRecord next) {
            return new Decision(new StoreAnswer.Ok(StoredResult.NONE), next);
        }
    }
}
