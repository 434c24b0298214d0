package io.idem.internal.record;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a record: what each request makes of it. Records whose retention is over count as absent; times
 * are milliseconds since 1970-01-01 UTC. Pure functions.
 */
public final class RecordRules {

    private RecordRules() {}

    /**
     * Decides on an acquire.
     *
     * @param found also if its retention is over: the new fence is then above its fence
     */
    public static Decision<Claim> acquire(@Nullable SeenRecord found, AcquireRequest request, long now) {
        if (found == null || !found.isLive(now)) {
            long before = found == null ? 0 : found.fence();
            return granted(request, StoredRecord.first(request, before), GrantKind.FRESH);
        }
        boolean own = found.pendingOf(request.owner());
        Duration left = Duration.ofMillis(found.at() - now);
        Optional<Claim> refusal = refusal(found.snapshot(request.record().scope()), own, left, request);
        if (refusal.isPresent()) {
            return Decision.of(null, refusal.get());
        }
        return own
                ? granted(request, found.reentered(request), GrantKind.REENTRANT)
                : granted(request, found.granted(request), found.nextGrant());
    }

    private static Decision<Claim> granted(AcquireRequest request, StoredRecord next, GrantKind kind) {
        return new Decision<>(
                next,
                writtenAt -> new Claim.Granted(request.granted(next.fence().of(writtenAt), next.attempts()), kind));
    }

    /**
     * Returns the answer to an acquire that is not granted; empty if it is granted.
     *
     * @param own whether the record is PENDING and the request's owner holds it
     * @param left the time until the record's {@link RecordSnapshot#at() moment}; not positive if that has passed
     */
    public static Optional<Claim> refusal(RecordSnapshot found, boolean own, Duration left, AcquireRequest request) {
        if (!request.fingerprint().matches(found.fingerprint())) {
            return Optional.of(new Claim.Mismatch());
        }
        return switch (found.state()) {
            case COMPLETED -> Optional.of(new Claim.Replay(found.result(), found.fence()));
            case REJECTED -> Optional.of(new Claim.Rejected(found.reason(), found.fence()));
            default -> own ? Optional.empty() : refusalOfOpen(found, left, request);
        };
    }

    private static Optional<Claim> refusalOfOpen(RecordSnapshot found, Duration left, AcquireRequest request) {
        if (left.compareTo(Duration.ZERO) > 0) {
            return Optional.of(
                    found.state() == RecordState.PENDING ? new Claim.InProgress(left) : new Claim.NotYet(left));
        }
        boolean exhausted = request.maxAttempts() != 0 && found.attempts() >= request.maxAttempts();
        return exhausted ? Optional.of(new Claim.Exhausted(found.attempts(), found.fence())) : Optional.empty();
    }

    /** Decides on a write of an owner. */
    public static Decision<StoreAnswer> update(@Nullable SeenRecord live, RecordUpdate update) {
        if (live == null || !live.ownedBy(update.lease())) {
            return Decision.of(null, live == null ? lost(null) : repeated(live, update));
        }
        if (update instanceof RecordUpdate.Recall) {
            return Decision.of(null, new StoreAnswer.Recalled(live.stored().steps()));
        }
        StoredRecord next = live.after(update);
        return Decision.of(next, new StoreAnswer.Ok(next.result()));
    }

    /** Answers a write that may have taken effect before. */
    private static StoreAnswer repeated(SeenRecord live, RecordUpdate update) {
        if (live.leftBy(update)) {
            return new StoreAnswer.Ok(StoredResult.NONE);
        }
        if (!live.settledBy(update.lease())) {
            return lost(live);
        }
        if (update instanceof RecordUpdate.Renew) {
            return new StoreAnswer.AlreadySettled(live.state());
        }
        boolean same = switch (live.state()) {
            case COMPLETED -> update instanceof RecordUpdate.Complete;
            case FAILED -> update instanceof RecordUpdate.Fail;
            default -> update instanceof RecordUpdate.Reject;
        };
        return same ? new StoreAnswer.Ok(live.result()) : lost(live);
    }

    public static Decision<StoreAnswer> reopen(
            @Nullable SeenRecord live, long expectedFence, Duration retention, long now) {
        boolean inProgress = live != null && live.state() == RecordState.PENDING && live.at() > now;
        if (live == null || inProgress || live.fence() != expectedFence) {
            return Decision.of(null, lost(live));
        }
        boolean reopened = live.isOpen() && live.stored().attempts() == 0;
        return done(reopened ? null : live.reopened(retention));
    }

    public static Decision<StoreAnswer> force(
            @Nullable SeenRecord live, long expectedFence, ForcedEnd end, Duration retention) {
        if (live != null && live.isForced(expectedFence, end)) {
            return done(null);
        }
        return live == null || !live.isOpen() || live.fence() != expectedFence
                ? Decision.of(null, lost(live))
                : done(live.forced(end, retention));
    }

    public static Decision<StoreAnswer> erase(@Nullable SeenRecord live) {
        if (live == null || !live.isSettled()) {
            return Decision.of(null, lost(live));
        }
        return done(live.isErased() ? null : live.erased());
    }

    private static Decision<StoreAnswer> done(@Nullable StoredRecord next) {
        return Decision.of(next, new StoreAnswer.Ok(StoredResult.NONE));
    }

    private static StoreAnswer lost(@Nullable SeenRecord live) {
        return live == null
                ? new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE)
                : new StoreAnswer.Lost(live.state(), live.result());
    }
}
