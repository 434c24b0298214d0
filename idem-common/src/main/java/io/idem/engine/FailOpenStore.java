package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.function.Function;

/** Settles attempts that the store never granted, because it was unreachable: acquires first what it then settles. */
final class FailOpenStore extends ForwardingIdempotencyStore {

    private final RecentOutage outage;
    private final Fingerprint fingerprint;

    /** @param fingerprint of the payload of the attempt that this store is for */
    FailOpenStore(IdempotencyStore store, RecentOutage outage, Fingerprint fingerprint) {
        super(store);
        this.outage = outage;
        this.fingerprint = fingerprint;
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return acquired(lease, granted -> delegate().complete(granted, result));
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return acquired(lease, granted -> delegate().reject(granted, reason));
    }

    /** Gives nothing back, because nothing was granted. */
    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return new StoreAnswer.AlreadySettled(RecordState.ABSENT);
    }

    private StoreAnswer acquired(Lease lease, Function<Lease, StoreAnswer> settle) {
        if (outage.lasts()) {
            throw new StoreUnavailableException(
                    "The store was unreachable a moment ago and is not asked again yet",
                    Execution.NOT_EXECUTED,
                    new IllegalStateException("unreachable"));
        }
        Claim claim = delegate().acquire(request(lease));
        if (claim instanceof Claim.Granted granted) {
            return settle.apply(granted.lease());
        }
        return claim instanceof Claim.Replay replay
                ? new StoreAnswer.Lost(RecordState.COMPLETED, replay.result())
                : new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
    }

    private AcquireRequest request(Lease lease) {
        return new AcquireRequest(
                lease.record(), lease.owner(), lease.duration(), lease.retention(), fingerprint, lease.fence() - 1, 0);
    }
}
