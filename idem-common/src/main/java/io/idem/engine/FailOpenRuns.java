package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts work that only an inbox protects while the store is unreachable (fail open). Thread-safe. */
record FailOpenRuns(Engine engine, RecentOutage outage) {

    private static final Logger LOG = LoggerFactory.getLogger(FailOpenRuns.class);

    private StoreAccess access(Operation operation) {
        return StoreAccess.ofCaller(new FailOpenStore(engine.store(), outage, operation.fingerprint()));
    }

    private Recorder recorder(StoreAccess failOpen) {
        return engine.recorder(failOpen, engine.restorer(StoreAccess.ofCaller(engine.store())));
    }

    /** Returns whether the store was unreachable a moment ago and this work need not wait for it. */
    boolean called(Operation operation) {
        return allowed(operation) && outage.lasts();
    }

    /** Returns whether this work may run although the store does not answer. */
    boolean allowed(Operation operation) {
        Inbox inbox = operation.inbox();
        return inbox != null && inbox.failsOpen();
    }

    /** Notes that the store does not answer the acquire of a record. */
    void storeIsSilent(RecordId record, StoreUnavailableException silent) {
        LOG.warn("{} runs without the store (fail open), its inbox alone decides: {}", record, silent.getMessage());
        outage.begins();
    }

    /** Begins an attempt whose acquire was not answered. */
    GrantedOperation begin(Operation operation, AcquireRequest unanswered, Observed observed) {
        observed.failOpen();
        StoreAccess access = access(operation);
        return new FailOpenOperation(
                engine.ungranted(operation, unanswered, observed),
                access,
                recorder(access),
                engine.events(),
                engine.results());
    }

    /** Begins an attempt for a refused operation, which records what its inbox row turns out to know. */
    GrantedOperation inquire(Operation operation, AcquireRequest refused, Observed observed) {
        StoreAccess access = access(operation);
        return new GrantedOperation(
                engine.ungranted(operation, refused, observed),
                access,
                recorder(access),
                engine.events(),
                engine.results(),
                () -> {});
    }
}
