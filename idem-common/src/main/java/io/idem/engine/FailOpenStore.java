package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Store that ends attempts which it never granted, because it was unreachable: acquires each record before it writes
 * the end.
 */
final class FailOpenStore extends StoreDecorator {

    private final RecentOutage outage;
    private final Fingerprint fingerprint;

    /** @param fingerprint of the payload of the attempt that this store is for */
    FailOpenStore(IdempotencyStore store, RecentOutage outage, Fingerprint fingerprint) {
        super(store);
        this.outage = outage;
        this.fingerprint = fingerprint;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return updates.stream()
                .map(update -> Stages.started(() -> written(update)))
                .toList();
    }

    /** Writes an update. A release is not written, because nothing was granted. */
    private CompletionStage<StoreAnswer> written(RecordUpdate update) {
        if (update instanceof RecordUpdate.Complete complete) {
            return acquired(update.lease(), granted -> new RecordUpdate.Complete(granted, complete.result()));
        }
        if (update instanceof RecordUpdate.Reject reject) {
            return acquired(update.lease(), granted -> new RecordUpdate.Reject(granted, reject.reason()));
        }
        return update instanceof RecordUpdate.Fail
                ? CompletableFuture.completedFuture(new StoreAnswer.AlreadySettled(RecordState.ABSENT))
                : super.update(List.of(update)).get(0);
    }

    private CompletionStage<StoreAnswer> acquired(Lease lease, Function<Lease, RecordUpdate> update) {
        if (outage.lasts()) {
            return Stages.failed(new StoreUnavailableException(
                    "The store was unreachable a moment ago and is not asked again yet",
                    Execution.NOT_EXECUTED,
                    new IllegalStateException("unreachable")));
        }
        return Stages.compose(
                delegate().acquire(List.of(request(lease))).get(0),
                claim -> claim instanceof Claim.Granted granted
                        ? delegate()
                                .update(List.of(update.apply(granted.lease())))
                                .get(0)
                        : CompletableFuture.completedFuture(lost(claim)));
    }

    private static StoreAnswer lost(Claim claim) {
        return claim instanceof Claim.Replay replay
                ? new StoreAnswer.Lost(RecordState.COMPLETED, replay.result())
                : new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
    }

    private AcquireRequest request(Lease lease) {
        return new AcquireRequest(
                lease.record(), lease.owner(), lease.duration(), lease.retention(), fingerprint, 0, 0);
    }
}
