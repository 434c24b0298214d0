package io.idem.model.trace;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import io.idem.workshop.simulation.check.RunLog;
import io.idem.workshop.simulation.kernel.TraceEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The store in memory with a log in the order of its transitions: both hold the store's own lock. Thread-safe. */
final class LoggedMemoryStore extends StoreDecorator {

    private final Moment moment;
    private final RunLog log;

    LoggedMemoryStore() {
        this(new Moment());
    }

    private LoggedMemoryStore(Moment moment) {
        super(new InMemoryIdempotencyStore(() -> moment.now));
        this.moment = moment;
        this.log = new RunLog(System::nanoTime);
    }

    List<TraceEvent> events() {
        synchronized (delegate()) {
            return log.events();
        }
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::logged);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::logged);
    }

    private Claim logged(AcquireRequest request) {
        synchronized (delegate()) {
            Optional<RecordSnapshot> before = before(request.record());
            Claim claim = delegate().acquire(request);
            log.acquired(request, request.owner().toString(), claim, seen(before, request.record()));
            return claim;
        }
    }

    private StoreAnswer logged(RecordUpdate update) {
        synchronized (delegate()) {
            RecordId record = update.lease().record();
            Optional<RecordSnapshot> before = before(record);
            StoreAnswer answer = delegate().update(update);
            log.updated(update, update.lease().owner().toString(), answer, seen(before, record));
            return answer;
        }
    }

    private Optional<RecordSnapshot> before(RecordId record) {
        moment.now = Instant.now();
        return delegate().inspect(record);
    }

    private RunLog.Seen seen(Optional<RecordSnapshot> before, RecordId record) {
        return new RunLog.Seen(before, moment.now, delegate().inspect(record));
    }

    /** The store stays open for the other threads. */
    @Override
    public void close() {}

    /** The time of the transition under way. */
    private static final class Moment {
        private volatile Instant now = Instant.EPOCH;
    }
}
