package io.idem;

import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Inbox;
import io.idem.spi.Lease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failing open: while the store is unreachable, starts work that an inbox alone protects. Thread-safe. */
final class UnlockedRuns {

    private static final Logger LOG = LoggerFactory.getLogger(UnlockedRuns.class);

    private final Outage outage;
    private final IdempotencyStore store;
    private final Recorder recorder;
    private final EventSource events;
    private final Results results;
    private final LeaseTimer timer;

    UnlockedRuns(
            IdempotencyStore store,
            Heartbeat heartbeat,
            EventSource events,
            Restorer restorer,
            Results results,
            LeaseTimer timer,
            Outage outage) {
        this.outage = outage;
        this.results = results;
        this.timer = timer;
        this.store = new UnlockedStore(store, outage);
        this.recorder = new Recorder(this.store, heartbeat, events, restorer);
        this.events = events;
    }

    /** Whether the store was unreachable a moment ago, and this work need not wait for it. */
    boolean called(Operation operation) {
        return allowed(operation) && outage.lasts();
    }

    /** Whether this work may run although the store does not answer. */
    boolean allowed(Operation operation) {
        Inbox inbox = operation.inbox();
        return inbox != null && inbox.decidesAlone();
    }

    /** Takes note that the store does not answer. */
    void storeIsSilent(StoreUnavailableException silent) {
        LOG.warn("Work runs without the store, its inbox alone decides: {}", silent.getMessage());
        outage.begins();
    }

    /** An attempt for an acquire that was not answered. */
    GrantedOperation begin(Operation operation, AcquireRequest unanswered) {
        Lease unlocked = new Lease(
                operation.record(),
                unanswered.owner(),
                unanswered.fenceFloor() + 1,
                1,
                unanswered.lease(),
                unanswered.retention());
        Claim.Granted granted = new Claim.Granted(unlocked, Claim.GrantKind.FRESH);
        LeaseWatch endless =
                new LeaseWatch(LocalDeadline.none(), timer, operation.policy().renewEvery());
        Attempt attempt = new Attempt(operation, granted, endless);
        return new UnlockedOperation(attempt, store, recorder, events, results);
    }
}
