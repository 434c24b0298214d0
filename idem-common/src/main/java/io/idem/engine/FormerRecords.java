package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Store of records whose {@linkplain IdempotencyKey#former() key} earlier versions read otherwise. An attempt acquires the
 * record under both forms of the key and writes to both, the former one first: work that either says is done is not run
 * again, and instances that know only the former key see what the others do. Thread-safe.
 */
final class FormerRecords extends StoreDecorator {

    /** The fences under the former keys, by the attempts. */
    private final Map<OwnerToken, Long> fences = Collections.synchronizedMap(new WeakHashMap<>());

    FormerRecords(IdempotencyStore store) {
        super(store);
    }

    /** Returns whether the key of a record has a former form. All others need no such store; they are asked for once here. */
    static boolean has(RecordId record) {
        return !record.key().former().equals(record.key());
    }

    private static RecordId former(RecordId record) {
        return new RecordId(record.key().former(), record.scope());
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.stream().map(this::claim).toList();
    }

    private CompletionStage<Claim> claim(AcquireRequest request) {
        return has(request.record())
                ? Stages.compose(asked(request, former(request.record()), 0), before -> claim(request, before))
                : asked(request, request.record(), 0);
    }

    private CompletionStage<Claim> asked(AcquireRequest request, RecordId record, long fence) {
        AcquireRequest asked = new AcquireRequest(
                record,
                request.owner(),
                request.lease(),
                request.retention(),
                request.fingerprint(),
                Math.max(request.fenceFloor(), fence),
                request.maxAttempts());
        return delegate().acquire(List.of(asked)).get(0);
    }

    /** Finished work is asked for under the present key too: a person may have reopened it there. */
    private CompletionStage<Claim> claim(AcquireRequest request, Claim before) {
        if (before instanceof Claim.Granted left) {
            return Stages.compose(asked(request, request.record(), left.lease().fence()), now -> joined(left, now));
        }
        if (before instanceof Claim.Replay done) {
            return Stages.compose(
                    asked(request, request.record(), done.fence()),
                    now -> now instanceof Claim.Granted granted && !isReopened(granted)
                            ? ended(granted, done)
                            : CompletableFuture.completedFuture(now));
        }
        return CompletableFuture.completedFuture(before);
    }

    private static boolean isReopened(Claim.Granted granted) {
        return granted.kind() == GrantKind.RETRY && granted.lease().attempt() == 1;
    }

    /** The number goes on behind the former attempts: the first attempt of all would not be bound by the steps of those. */
    private CompletionStage<Claim> joined(Claim.Granted left, Claim now) {
        if (!(now instanceof Claim.Granted granted)) {
            return ended(left, now);
        }
        Lease lease = granted.lease();
        fences.put(lease.owner(), left.lease().fence());
        int attempt = Math.max(left.lease().attempt(), lease.attempt());
        IdempotencyKey key = lease.record().key();
        IdempotencyKey known = isBegunBefore(left, granted) ? key.continued() : key;
        RecordId record = new RecordId(known, lease.record().scope());
        GrantKind kind = granted.kind() == GrantKind.FRESH ? left.kind() : granted.kind();
        return CompletableFuture.completedFuture(new Claim.Granted(
                new Lease(record, lease.owner(), lease.fence(), attempt, lease.duration(), lease.retention()),
                left.isTakeover() ? GrantKind.TAKEOVER : kind));
    }

    /** Returns whether an earlier version made attempts under the former key alone, whose steps, calls and messages go on. */
    private static boolean isBegunBefore(Claim.Granted left, Claim.Granted now) {
        return (now.kind() == GrantKind.FRESH && left.kind() == GrantKind.RETRY)
                || (left.lease().attempt() > now.lease().attempt() && !isReopened(now));
    }

    /** Ends a grant as the record under the other key has ended; otherwise gives it back, uncounted. */
    private CompletionStage<Claim> ended(Claim.Granted granted, Claim other) {
        RecordUpdate end = other instanceof Claim.Replay done
                ? new RecordUpdate.Complete(granted.lease(), done.result())
                : new RecordUpdate.Fail(granted.lease(), Duration.ZERO, false);
        return Stages.handle(written(end), ended -> other, unanswered -> other);
    }

    private CompletionStage<StoreAnswer> written(RecordUpdate update) {
        return delegate().update(List.of(update)).get(0);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return updates.stream().map(this::writtenToBoth).toList();
    }

    /** Steps that are remembered under the former key count; where another owner has that, nothing else is written. */
    private CompletionStage<StoreAnswer> writtenToBoth(RecordUpdate update) {
        Long fence = fences.get(update.lease().owner());
        return fence == null
                ? written(update)
                : Stages.compose(
                        written(former(update, fence)),
                        before -> before instanceof StoreAnswer.Lost || hasSteps(before)
                                ? CompletableFuture.completedFuture(before)
                                : written(present(update)));
    }

    /** Lets every attempt but takeovers count under the present key: a FAILED record without attempts was reopened by a person. */
    private static RecordUpdate present(RecordUpdate update) {
        return update instanceof RecordUpdate.Fail fail && !fail.leavesTakeover()
                ? new RecordUpdate.Fail(fail.lease(), fail.delay())
                : update;
    }

    private static boolean hasSteps(StoreAnswer answer) {
        return answer instanceof StoreAnswer.Recalled recalled
                && recalled.steps().life() != 0;
    }

    /** Returns the write to the former record. Rejections are known under the present key only, to be reopened there. */
    private static RecordUpdate former(RecordUpdate update, long fence) {
        Lease now = update.lease();
        Lease lease =
                new Lease(former(now.record()), now.owner(), fence, now.attempt(), now.duration(), now.retention());
        if (update instanceof RecordUpdate.Renew) {
            return new RecordUpdate.Renew(lease);
        }
        if (update instanceof RecordUpdate.Complete complete) {
            return new RecordUpdate.Complete(lease, complete.result(), complete.forgetSteps());
        }
        if (update instanceof RecordUpdate.Remember remember) {
            return new RecordUpdate.Remember(lease, remember.life(), remember.step());
        }
        if (update instanceof RecordUpdate.Fail fail) {
            return new RecordUpdate.Fail(lease, fail.delay(), fail.counted());
        }
        return update instanceof RecordUpdate.Recall
                ? new RecordUpdate.Recall(lease)
                : new RecordUpdate.Fail(lease, Duration.ZERO);
    }
}
