package io.idem.memory;

import static io.idem.internal.Durations.longer;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reference implementation of a store, in the memory of one process. Records live as long as this object: for
 * tests, and for single-process programs that accept that. Thread-safe: every transition holds one lock. Expired
 * records are removed when they are next accessed.
 */
public final class InMemoryIdempotencyStore implements IdempotencyStore {

    private final InstantSource clock;
    private final Map<RecordId, StoredRecord> records = new HashMap<>();
    private final Map<RecordId, RememberedSteps> steps = new HashMap<>();
    private final TreeSet<String> scopes = new TreeSet<>();

    /** Creates a store on the system's clock. */
    public InMemoryIdempotencyStore() {
        this(InstantSource.system());
    }

    /** Creates a store on a given clock, which a test can move. */
    public InMemoryIdempotencyStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::claim);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::write);
    }

    /** Returns an empty value: this store never blocks its caller. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    private synchronized Claim claim(AcquireRequest request) {
        Instant now = now();
        StoredRecord found = live(request.record(), now);
        Claim refusal = found == null ? null : refusal(found, request, now);
        if (refusal != null) {
            return refusal;
        }
        return found != null && found.pendingOf(request.owner())
                ? reenter(found, request, now)
                : grant(found, request, now);
    }

    private static @Nullable Claim refusal(StoredRecord found, AcquireRequest request, Instant now) {
        if (!request.fingerprint().matches(found.fingerprint())) {
            return new Claim.Mismatch();
        }
        return switch (found.state()) {
            case COMPLETED -> new Claim.Replay(found.result(), found.fence());
            case REJECTED -> new Claim.Rejected(found.reason(), found.fence());
            case FAILED ->
                found.at().isAfter(now)
                        ? new Claim.NotYet(Duration.between(now, found.at()))
                        : exhausted(found, request);
            case PENDING -> refusalOfPending(found, request, now);
            case ABSENT -> null;
        };
    }

    private static @Nullable Claim refusalOfPending(StoredRecord found, AcquireRequest request, Instant now) {
        if (found.pendingOf(request.owner())) {
            return null;
        }
        return found.at().isAfter(now)
                ? new Claim.InProgress(Duration.between(now, found.at()))
                : exhausted(found, request);
    }

    private static @Nullable Claim exhausted(StoredRecord found, AcquireRequest request) {
        boolean used = request.maxAttempts() != 0 && found.attempts() >= request.maxAttempts();
        return used ? new Claim.Exhausted(found.attempts(), found.fence()) : null;
    }

    private Claim reenter(StoredRecord found, AcquireRequest request, Instant now) {
        Instant end = now.plus(request.lease());
        StoredRecord extended = found.leasedUntil(end.isAfter(found.at()) ? end : found.at());
        write(request.record(), extended, now, request.retention(), Duration.between(now, extended.at()));
        return new Claim.Granted(lease(request, extended), Claim.GrantKind.REENTRANT);
    }

    private Claim grant(@Nullable StoredRecord found, AcquireRequest request, Instant now) {
        long previous = found == null ? 0 : found.fence();
        long least = Math.max(Math.max(previous, request.fenceFloor()) + 1, micros(clock.instant()));
        Claim.GrantKind kind = kind(found);
        StoredRecord granted = StoredRecord.granted(found, request, kind.fence(least), now.plus(request.lease()));
        write(request.record(), granted, now, request.retention(), request.lease());
        return new Claim.Granted(lease(request, granted), kind);
    }

    private static Claim.GrantKind kind(@Nullable StoredRecord found) {
        if (found == null) {
            return Claim.GrantKind.FRESH;
        }
        return found.state() == RecordState.FAILED ? Claim.GrantKind.RETRY : Claim.GrantKind.TAKEOVER;
    }

    private static Lease lease(AcquireRequest request, StoredRecord record) {
        return new Lease(
                request.record(),
                request.owner(),
                record.fence(),
                record.attempts(),
                request.lease(),
                request.retention());
    }

    private synchronized StoreAnswer write(RecordUpdate update) {
        Lease lease = update.lease();
        if (update instanceof RecordUpdate.Renew) {
            return renewed(lease);
        }
        if (update instanceof RecordUpdate.Complete complete) {
            return settle(lease, RecordState.COMPLETED, Duration.ZERO, (record, now) -> {
                steps.remove(lease.record());
                return record.completed(now, complete.result());
            });
        }
        if (update instanceof RecordUpdate.Fail fail) {
            Duration delay = fail.delay().truncatedTo(ChronoUnit.MILLIS);
            return settle(
                    lease, RecordState.FAILED, delay, (record, now) -> record.failed(now.plus(delay), fail.counted()));
        }
        if (update instanceof RecordUpdate.Remember remember) {
            return ofOwner(lease, known -> {
                steps.put(lease.record(), known.with(remember.life(), remember.step()));
                return new StoreAnswer.Ok(StoredResult.NONE);
            });
        }
        if (update instanceof RecordUpdate.Recall) {
            return ofOwner(lease, StoreAnswer.Recalled::new);
        }
        String reason = ((RecordUpdate.Reject) update).reason();
        return settle(lease, RecordState.REJECTED, Duration.ZERO, (record, now) -> record.rejected(now, reason));
    }

    /** Answers an owner from the steps of its record. */
    private StoreAnswer ofOwner(Lease lease, Function<RememberedSteps, StoreAnswer> answer) {
        StoredRecord found = live(lease.record(), now());
        return found != null && found.ownedBy(lease)
                ? answer.apply(steps.getOrDefault(lease.record(), RememberedSteps.NONE))
                : lost(found);
    }

    private StoreAnswer renewed(Lease lease) {
        Instant now = now();
        StoredRecord found = live(lease.record(), now);
        if (found != null && found.ownedBy(lease)) {
            write(
                    lease.record(),
                    found.leasedUntil(now.plus(lease.duration())),
                    now,
                    lease.retention(),
                    lease.duration());
            return new StoreAnswer.Ok(StoredResult.NONE);
        }
        return found != null && found.settledBy(lease) ? new StoreAnswer.AlreadySettled(found.state()) : lost(found);
    }

    private StoreAnswer settle(Lease lease, RecordState target, Duration delay, Change change) {
        Instant now = now();
        StoredRecord found = live(lease.record(), now);
        if (found != null && found.ownedBy(lease)) {
            StoredRecord settled = change.apply(found, now);
            write(lease.record(), settled, now, lease.retention(), delay);
            return new StoreAnswer.Ok(settled.result());
        }
        if (found != null && found.state() == target && found.settledBy(lease)) {
            return new StoreAnswer.Ok(found.result());
        }
        return lost(found);
    }

    @Override
    public synchronized StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        Instant now = now();
        StoredRecord found = live(record, now);
        boolean inProgress = found != null
                && found.state() == RecordState.PENDING
                && found.at().isAfter(now);
        if (found == null || inProgress || found.fence() != expectedFence) {
            return lost(found);
        }
        if (found.state() == RecordState.COMPLETED) {
            steps.remove(record);
        }
        if (!found.reopened()) {
            write(record, found.reopenedAt(now), now, retention, Duration.ZERO);
        }
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    @Override
    public synchronized StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        Instant now = now();
        StoredRecord found = live(record, now);
        if (found != null && found.forced(expectedFence, end)) {
            return new StoreAnswer.Ok(StoredResult.NONE);
        }
        if (found == null || !found.open() || found.fence() != expectedFence) {
            return lost(found);
        }
        if (end == ForcedEnd.COMPLETED) {
            steps.remove(record);
        }
        write(record, found.forcedAt(now, end), now, retention, Duration.ZERO);
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    @Override
    public synchronized StoreAnswer erase(RecordId record) {
        StoredRecord found = live(record, now());
        if (found == null || found.state() == RecordState.PENDING || found.state() == RecordState.FAILED) {
            return lost(found);
        }
        records.put(record, found.erased());
        steps.computeIfPresent(record, (id, known) -> known.erased());
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    private static StoreAnswer lost(@Nullable StoredRecord found) {
        return found == null
                ? new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE)
                : new StoreAnswer.Lost(found.state(), found.result());
    }

    @Override
    public synchronized Optional<RecordSnapshot> inspect(RecordId record) {
        return Optional.ofNullable(live(record, now())).map(found -> found.snapshot(record.scope()));
    }

    @Override
    public synchronized List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return scopes.stream()
                .map(scope -> inspect(new RecordId(key, new Scope(scope))))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the keys that have a record in a scope. */
    public synchronized List<IdempotencyKey> keys(Scope scope) {
        return records.keySet().stream()
                .filter(record -> record.scope().equals(scope))
                .map(RecordId::key)
                .toList();
    }

    @Override
    public synchronized RememberedSteps steps(RecordId record) {
        return live(record, now()) == null ? RememberedSteps.NONE : steps.getOrDefault(record, RememberedSteps.NONE);
    }

    @Override
    public synchronized void announce(Scope scope) {
        scopes.add(scope.name());
    }

    /** Removes all records, for the next test; announced scopes stay announced. */
    public synchronized void clear() {
        records.clear();
        steps.clear();
    }

    /** Does nothing, because the store holds no resources. */
    @Override
    public void close() {}

    private @Nullable StoredRecord live(RecordId id, Instant now) {
        StoredRecord found = records.get(id);
        if (found != null && !found.expiresAt().isAfter(now)) {
            records.remove(id);
            steps.remove(id);
            return null;
        }
        return found;
    }

    private void write(RecordId id, StoredRecord record, Instant now, Duration retention, Duration other) {
        Instant expiry = now.plus(longer(retention, other));
        records.put(id, record.expiringAt(expiry));
    }

    /** Returns the time in whole milliseconds, in which leases are counted, as in Redis. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    @FunctionalInterface
    private interface Change {
        StoredRecord apply(StoredRecord record, Instant now);
    }
}
