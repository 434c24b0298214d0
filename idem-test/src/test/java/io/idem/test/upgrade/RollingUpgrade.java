package io.idem.test.upgrade;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RunningRedis;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Two versions of idem behind one face: each call goes to one of them, as the messages of one key do while an application is
 * upgraded instance by instance.
 */
public final class RollingUpgrade implements IdempotencyStore {

    /** Milliseconds: longer than a call takes, so that the floor decides. */
    private static final long ABOVE_THE_CLOCK = 60_000;

    /** Leaves room for the fences of operators' ends. */
    private static final long BETWEEN_FENCES = 1_000;

    private final IdempotencyStore older;
    private final IdempotencyStore newer;
    private final BooleanSupplier upgraded;
    private final AtomicLong fences = new AtomicLong();
    private final Set<RecordId> withSteps = ConcurrentHashMap.newKeySet();

    private RollingUpgrade(IdempotencyStore older, IdempotencyStore newer, BooleanSupplier upgraded) {
        this.older = older;
        this.newer = newer;
        this.upgraded = upgraded;
    }

    /** The first version and this one on a server; {@code upgraded} says, call by call, whether this one gets it. */
    public static RollingUpgrade on(RunningRedis server, BooleanSupplier upgraded) {
        return new RollingUpgrade(
                new FrozenStore(server.uri(), FrozenStore.FIRST),
                new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(server.uri()))),
                upgraded);
    }

    private IdempotencyStore next() {
        return upgraded.getAsBoolean() ? newer : older;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::claim);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, update -> of(update).update(update));
    }

    /**
     * The first version knows no steps: it neither keeps them nor lets them live as long as their record. To it every attempt
     * counts.
     */
    private IdempotencyStore of(RecordUpdate update) {
        if (update instanceof RecordUpdate.Remember) {
            withSteps.add(update.lease().record());
        }
        boolean steps = update instanceof RecordUpdate.Recall
                || withSteps.contains(update.lease().record());
        boolean uncounted = update instanceof RecordUpdate.Fail fail && !fail.counted();
        return steps || uncounted ? newer : next();
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    /** The first version's fences do not tell whether a grant is a takeover; here the floor makes them. */
    private Claim claim(AcquireRequest request) {
        Optional<RecordSnapshot> found = newer.inspect(request.record());
        boolean pending =
                found.filter(record -> record.state() == RecordState.PENDING).isPresent();
        long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis() + ABOVE_THE_CLOCK);
        long least = fences.updateAndGet(last -> Math.max(last + BETWEEN_FENCES, now));
        GrantKind kind = pending ? GrantKind.TAKEOVER : GrantKind.FRESH;
        return next().acquire(new AcquireRequest(
                request.record(),
                request.owner(),
                request.lease(),
                request.retention(),
                request.fingerprint(),
                kind.fence(Math.max(least, request.fenceFloor() + 1)) - 1,
                request.maxAttempts()));
    }

    /** The first version makes a lapsed PENDING FAILED, so that the next grant does not tell that an outcome is unknown. */
    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return newer.reopen(record, expectedFence, retention);
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return newer.force(record, expectedFence, end, retention);
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return newer.erase(record);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return next().inspect(record);
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return next().inspectAll(key);
    }

    /** The first version knows no steps. */
    @Override
    public RememberedSteps steps(RecordId record) {
        return newer.steps(record);
    }

    @Override
    public void announce(Scope scope) {
        next().announce(scope);
    }

    @Override
    public void close() {
        older.close();
        newer.close();
    }
}
