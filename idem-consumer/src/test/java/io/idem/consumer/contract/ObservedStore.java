package io.idem.consumer.contract;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The in-memory store, noting what is written to it; can be made to answer nothing. */
public final class ObservedStore extends PerRequestStore implements Resettable {

    private final InMemoryIdempotencyStore records;
    private final Set<Lease> held = ConcurrentHashMap.newKeySet();
    private final EventLog log;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean silent;
    private volatile boolean deafToComplete;

    /** A store that answers. */
    public ObservedStore(MovableClock clock, EventLog log) {
        this(new InMemoryIdempotencyStore(clock), log);
    }

    private ObservedStore(InMemoryIdempotencyStore records, EventLog log) {
        super(records);
        this.records = records;
        this.log = log;
    }

    /** The number of requests for a grant. */
    public int asked() {
        return asked.get();
    }

    /** Whether all that was granted is settled. */
    public boolean settled() {
        return held.isEmpty();
    }

    /** Forgets all records and answers again, for the next test. */
    @Override
    public void reset() {
        records.clear();
        held.clear();
        asked.set(0);
        silent = false;
        deafToComplete = false;
    }

    /** Makes the store answer only the questions of operators and of outages. */
    public void silent(boolean now) {
        silent = now;
    }

    /** Whether it answers everything but COMPLETE. */
    public void deafToComplete(boolean now) {
        deafToComplete = now;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        asked.incrementAndGet();
        return answer(silent, () -> {
            Claim claim = super.acquire(request);
            if (claim instanceof Claim.Granted granted) {
                held.add(granted.lease());
            }
            return claim;
        });
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return answer(silent, () -> super.renew(lease));
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return answer(
                silent || deafToComplete,
                () -> noted(EventLog.COMPLETE, settled(lease, super.complete(lease, result))));
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return answer(silent, () -> settled(lease, super.fail(lease, delay)));
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return answer(silent, () -> settled(lease, super.reject(lease, reason)));
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return answer(silent, () -> super.reopen(record, expectedFence, retention));
    }

    private StoreAnswer settled(Lease lease, StoreAnswer settlement) {
        held.remove(lease);
        return settlement;
    }

    private StoreAnswer noted(String event, StoreAnswer settlement) {
        log.note(settlement instanceof StoreAnswer.Ok ? event : event + " lost");
        return settlement;
    }

    private static <T> T answer(boolean none, Supplier<T> call) {
        if (none) {
            throw new StoreUnavailableException(
                    "The test has silenced the store", Execution.NOT_EXECUTED, new IOException("silenced"));
        }
        return call.get();
    }
}
