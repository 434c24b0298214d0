package io.idem.test;

import static io.idem.internal.Durations.longer;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;

/** A store in memory whose clients crash where a test asks for it. Thread-safe. */
final class CrashableStore extends PerRequestStore {

    private final Crashes crashes;
    private volatile Duration longestLease = Duration.ZERO;

    CrashableStore(InMemoryIdempotencyStore store, Crashes crashes) {
        super(store);
        this.crashes = crashes;
    }

    /** Returns the longest lease that was granted so far. */
    Duration longestLease() {
        return longestLease;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        crashes.requireAlive(request.owner());
        Claim claim = super.acquire(request);
        if (claim instanceof Claim.Granted) {
            noteLease(request.lease());
            crashes.at(CrashPoint.BEFORE_WORK, request.owner());
        }
        return claim;
    }

    private synchronized void noteLease(Duration lease) {
        longestLease = longer(lease, longestLease);
    }

    @Override
    public StoreAnswer update(RecordUpdate update) {
        if (update instanceof RecordUpdate.Remember remember) {
            return remember(remember);
        }
        if (update instanceof RecordUpdate.Recall || update instanceof RecordUpdate.Fail) {
            crashes.requireAlive(update.lease().owner());
        }
        return super.update(update);
    }

    private StoreAnswer remember(RecordUpdate.Remember update) {
        OwnerToken owner = update.lease().owner();
        crashes.requireAlive(owner);
        if (update.step().kind() == Kind.BEGUN) {
            return super.update(update);
        }
        crashes.at(CrashPoint.BEFORE_REMEMBER, owner);
        StoreAnswer answer = super.update(update);
        crashes.at(CrashPoint.AFTER_REMEMBER, owner);
        return answer;
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return crashes.died(lease.owner())
                ? new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE)
                : super.renew(lease);
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        crashes.requireAlive(lease.owner());
        crashes.at(CrashPoint.BEFORE_COMPLETE, lease.owner());
        StoreAnswer settlement = super.complete(lease, result);
        crashes.at(CrashPoint.BEFORE_ACKNOWLEDGE, lease.owner());
        return settlement;
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        crashes.requireAlive(lease.owner());
        return super.fail(lease, delay);
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        crashes.requireAlive(lease.owner());
        return super.reject(lease, reason);
    }
}
