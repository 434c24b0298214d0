package io.idem.test;

import static io.idem.internal.Durations.longer;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.OwnerToken;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store in memory whose clients crash where a test asks for it. Thread-safe. */
final class CrashableStore extends StoreDecorator {

    private static final StoreAnswer DEAD = new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);

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
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::acquire);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::update);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        crashes.requireAlive(request.owner());
        Claim claim = delegate().acquire(request);
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
        OwnerToken owner = update.lease().owner();
        if (update instanceof RecordUpdate.Renew) {
            return crashes.died(owner) ? DEAD : delegate().update(update);
        }
        crashes.requireAlive(owner);
        if (update instanceof RecordUpdate.Complete) {
            return between(CrashPoint.BEFORE_COMPLETE, update, CrashPoint.BEFORE_ACKNOWLEDGE);
        }
        if (update instanceof RecordUpdate.Remember remember && remember.step().kind() == Kind.DONE) {
            return between(CrashPoint.BEFORE_REMEMBER, update, CrashPoint.AFTER_REMEMBER);
        }
        return delegate().update(update);
    }

    private StoreAnswer between(CrashPoint before, RecordUpdate update, CrashPoint after) {
        crashes.at(before, update.lease().owner());
        StoreAnswer answer = delegate().update(update);
        crashes.at(after, update.lease().owner());
        return answer;
    }
}
